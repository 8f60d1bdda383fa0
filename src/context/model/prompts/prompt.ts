import type { StagePrompt } from '../../compaction/stage.ts'

/** One part of a summary: a field of the answer, and a heading in the text made of it. */
export interface Section {
  readonly key: string
  readonly heading: string
  /** What belongs in it, as the model is told. */
  readonly means: string
  /** Given, the field is one of these words and not a list of sentences. */
  readonly oneOf?: readonly string[]
}

/** What a model is asked for in one situation. */
export interface Prompt {
  readonly name: StagePrompt['name']
  /** The part that users may replace. How to write, what is data and the form of the answer are added to it. */
  readonly task: string
  readonly sections: readonly Section[]
}
