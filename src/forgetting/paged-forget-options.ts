import type { ForgetOptions } from '../api/facts.ts'

/** How to forget one of many. */
export interface PagedForgetOptions extends ForgetOptions {
  /** Whether the pages of the file are overwritten at once, or by the caller, with `overwritePages` after several. @default 'now' */
  readonly pages?: 'now' | 'later'
}
