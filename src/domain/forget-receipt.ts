/** What was destroyed, in rows, by kind. */
export interface ForgetReceipt {
  /** Names this forgetting: `verifyForgotten` takes the receipt. */
  readonly id: string
  readonly scope: string
  /** ISO 8601, UTC. */
  readonly at: string
  readonly reason: string
  /** Nothing was changed: the counts of messages, revisions, folds, facts and bytes are what would go. */
  readonly dryRun: boolean
  /** `false` if no fact in the scope is about the subject that was named, so that there was nothing to destroy. */
  readonly found: boolean
  /** Sessions in which something was forgotten, forks that shared it included. With `everything`, those below are named `acme/ada/desk: chat`. */
  readonly sessions: readonly string[]
  readonly messages: number
  readonly revisions: number
  /** Compactions whose folds were told again without what was forgotten. */
  readonly folds: number
  readonly facts: number
  /** Versions of those facts, the current ones included. */
  readonly versions: number
  readonly sources: number
  readonly entities: number
  readonly proposals: number
  /** Of the facts. */
  readonly ids: readonly string[]
  /** Passages of the word index, and words that stood nowhere else. */
  readonly passages: number
  readonly terms: number
  readonly vectors: number
  readonly blobs: number
  /** Operation ids and request digests that made retries safe. */
  readonly operations: number
  readonly jobs: number
  /** Values of the sessions' working documents, earlier ones included. */
  readonly state: number
  /** Answers that a server kept for retries. */
  readonly answers: number
  /**
   * Data keys of encrypted sessions that were destroyed: without them, what backups have of those sessions cannot be read. What is
   * forgotten at once in one session may share one.
   */
  readonly keys: number
  /** Of content, as it was stored. */
  readonly bytes: number
  /** Messages that the forgotten facts were learned from and that are still there: forget them too with `messages: true`. */
  readonly remaining: number
  /**
   * What is left to do: `keys` while what stays of an encrypted session is encrypted again, `pages` while another process reads what
   * was there before, or PostgreSQL has not vacuumed it. Done by itself as soon as it can be.
   */
  readonly pending: readonly ('keys' | 'pages')[]
}
