/** A conversation of 50 messages in one language, a line each, and 20 questions that use a word of their answer. */
export interface LanguageSet {
  readonly messages: string
  /** The question, and a text that only its answer has. */
  readonly questions: readonly (readonly [question: string, answer: string])[]
}
