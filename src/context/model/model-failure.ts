import type { CallFailure } from '../../model/call-failure.ts'

/** Why a text that a model wrote is not a summary of its source. */
export type SummaryFault =
  | 'longer' // over its budget, or not shorter than what it stands for
  | 'refused' // an apology in place of a summary
  | 'instructing' // orders to whoever reads it, or control tokens of a chat template
  | 'leaked' // repeats what the model was told to do
  | 'wrong-language' // in a script that the original has none of
  | 'invented-identifiers' // paths, addresses, hashes or numbers that the original does not have
  | 'lost-identifiers' // without what must stay visible, and without room for it

/** Why there are no better words than the rule's own. */
export type ModelFailure =
  | CallFailure
  | 'too-large' // more messages than the model may be shown
  | 'empty' // an answer that says nothing
  | 'unparsable' // no JSON in it
  | SummaryFault
