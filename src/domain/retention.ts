/**
 * How long the messages of a scope are kept, here and deeper, unless a deeper scope has a policy of its own. What is beyond
 * it is forgotten in the background. An empty policy keeps everything.
 */
export interface RetentionPolicy {
  /** Messages that were stored longer ago are forgotten. */
  readonly days?: number
  /** All but the newest so many of each session are forgotten. */
  readonly messages?: number
}
