/** Something odd that was stored all the same, because the log records what happened. */
export interface Warning {
  readonly type:
    | 'orphan-result'
    | 'missing-call-id'
    | 'duplicate-result'
    | 'duplicate-call'
    | 'clock-ahead'
    | 'other-description'
  readonly id: string
  readonly seq: number
  readonly callId?: string
  readonly message: string
}
