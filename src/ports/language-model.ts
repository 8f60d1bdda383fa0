import type { JSONObject } from '../domain/json.ts'

export interface ModelRequest {
  /** What to do. Written by Daybook or its user, never taken from a log. */
  readonly system: string
  /** What to do it with: stored text, quoted. */
  readonly prompt: string
  /** JSON Schema of the answer, for providers that can enforce one. `system` says the same in words. */
  readonly schema: JSONObject
  /** What the whole answer may cost, thinking included. */
  readonly tokensMax: number
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** As the provider counted it; a figure it did not give is absent. */
export interface ModelUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
}

export interface ModelAnswer {
  readonly text: string
  readonly usage?: ModelUsage
  /** Why the model stopped, as the AI SDK spells it: `stop`, `length`, `content-filter`, `error`, … */
  readonly finish?: string
}

/** Writes text. May fail, stall or answer anything: whoever calls it bounds the wait and checks the answer. */
export interface LanguageModel {
  /** For events and receipts: `openai.responses/gpt-5`. */
  readonly name: string
  generate(request: ModelRequest): Promise<ModelAnswer>
}
