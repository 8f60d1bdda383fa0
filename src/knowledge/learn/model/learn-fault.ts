import type { CallFailure } from '../../../model/call-failure.ts'

/** Why a model's answer teaches nothing. */
export type LearnFault =
  | CallFailure
  | 'refused' // an apology in place of facts
  | 'empty' // a blank answer
  | 'unparsable' // no JSON in it
  | 'unfounded' // facts, and not one with a message, a quote of it, and words of it
