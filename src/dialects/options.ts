export interface LintOptions {
  /**
   * What to do with rules (or halves of rules) that are widely reported but that nobody re-checked.
   *
   * @default 'warning'
   */
  readonly unconfirmed?: 'warning' | 'error'
  /**
   * The model the transcript is meant for, as the provider spells it: `claude-opus-4-8`, `gemini-3-pro`, `gpt-5`.
   * Decides A1, A10, G5 and R4.
   *
   * @default unknown: what only some models accept is an error (A1); what only some models reject is a warning
   * (G5, R4) or nothing (A10)
   */
  readonly model?: string
  /**
   * Extended thinking is on for this request (Anthropic): thinking must lead its turn and no assistant message may be last.
   *
   * @default false
   */
  readonly thinking?: boolean
  /**
   * Whether the provider stores the response (OpenAI Responses). With `false`, reasoning needs its encrypted content (R5).
   *
   * @default true, or what the request body says
   */
  readonly store?: boolean
  /**
   * `openai-compatible-strict` is what DeepSeek, Qwen, Mistral and vLLM chat templates want of the `openai` dialect (O7).
   *
   * @default 'openai'
   */
  readonly profile?: 'openai' | 'openai-compatible-strict'
}

export type RepairOptions = LintOptions
