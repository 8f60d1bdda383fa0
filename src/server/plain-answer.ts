/** An answer of which everything is there, so that it can be sent in one piece. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
