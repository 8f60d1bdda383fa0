import type { JSONObject } from '../domain/json.ts'

/** A tool as every host can take it: a name, what it is for, a JSON Schema of its input, and what to do. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JSONObject
  /** Answers in words, whatever the input and whatever fails: an agent cannot catch. */
  execute(input: unknown): Promise<string>
}
