export interface AccessKeyRow {
  readonly id: string
  readonly name: string
  readonly scope: string | null
  /** Verbs, with commas. */
  readonly can: string
  /** SHA-256 of the token. */
  readonly hash: Uint8Array
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly lastUsedAt: number | null
}

export interface AuditRow {
  readonly number: number
  readonly at: number
  readonly keyId: string | null
  readonly action: string
  readonly scope: string | null
  readonly status: number
  /** A JSON array of strings. */
  readonly ids: string
  readonly digest: string | null
  readonly chain: string
}

/** The answer to a write, kept so that a retry is answered and not done again. */
export interface AnswerRow {
  /** Whose it is and how they named it: one hash. */
  readonly name: string
  /** Digest of the request, in hexadecimal; empty when it was deleted. */
  readonly request: string
  /** Of HTTP; 0 while there is none yet. */
  readonly status: number
  /** Empty when it was deleted. */
  readonly body: string
  readonly at: number
}

/** Who may use the server, what they did, and what they were answered. */
export interface AccessStore {
  addKey(row: AccessKeyRow): Promise<void>
  keyById(id: string): Promise<AccessKeyRow | undefined>
  /** Oldest first. */
  keys(): Promise<readonly AccessKeyRow[]>
  /** Writes what may change of a key: when it was revoked and last used. */
  updateKey(id: string, change: (row: AccessKeyRow) => AccessKeyRow): Promise<AccessKeyRow | undefined>
  /** Appends what `decide` makes of the last entry, in one transaction. */
  addAudit(decide: (last: AuditRow | undefined) => readonly AuditRow[]): Promise<void>
  /** Newest first, those before a number. */
  audit(page: { readonly before: number; readonly limit: number }): Promise<readonly AuditRow[]>
  answer(name: string): Promise<AnswerRow | undefined>
  /** Lets go of answers older than a time, then keeps this one. */
  keepAnswer(row: AnswerRow, olderThan: number): Promise<void>
  /**
   * Puts what `decide` makes of an answer, or takes it away for `null`, in one transaction; lets go of those older than a time.
   * Resolves with what was there before.
   */
  changeAnswer(
    name: string,
    decide: (row: AnswerRow | undefined) => AnswerRow | null | undefined,
    olderThan: number,
  ): Promise<AnswerRow | undefined>
}
