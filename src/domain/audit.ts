/** One thing that was done through the server: who, what, to which ids; never content. */
export interface AuditEntry {
  readonly number: number
  readonly at: string
  /** The id of the key; `null` where none was accepted. */
  readonly key: string | null
  /** The operation, for example `messages.append`. */
  readonly action: string
  readonly scope: string | null
  readonly status: number
  /** Of what it was done to: session, message, fact, … */
  readonly ids: readonly string[]
  /**
   * Of the request's body, in hexadecimal; `null` where it had none. Made with a secret of the memory, which goes whenever something is
   * forgotten: equal ones are of equal requests, and nobody can confirm a guess with one.
   */
  readonly digest: string | null
  /** SHA-256 over the entry before and this one, in hexadecimal: a changed or missing entry breaks it. */
  readonly chain: string
}
