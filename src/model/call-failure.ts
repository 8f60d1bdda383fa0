/** Why a call of a model gave no text. */
export type CallFailure =
  | 'aborted' // by the caller
  | 'timeout' // no good answer within the deadline
  | 'over-spend' // the limit does not allow a call
  | 'failed' // the model threw, or said that it failed
  | 'wrong-shape' // no answer at all, or not the fields that were asked for
  | 'longer' // over its budget
