import { defined } from '../domain/defined.ts'
import type { ModelAnswer, ModelUsage } from '../ports/language-model.ts'

/** An answer of which only what has the right type was taken. */
export interface ReadAnswer {
  /** What there is no reading of has the reason in place of the text. */
  readonly text: string | { readonly reason: 'wrong-shape' | 'longer' }
  readonly usage: ModelUsage
  readonly finish?: string
}

/** A model may be anybody's: what it answers is read like input, and no further than it may be long. */
export function readModelAnswer(answer: unknown, charactersMax: number): ReadAnswer {
  if (typeof answer !== 'object' || answer === null) return { text: { reason: 'wrong-shape' }, usage: {} }
  const { text, usage, finish } = answer as { readonly [Key in keyof ModelAnswer]?: unknown }
  return {
    text: readText(text, charactersMax),
    usage: readUsage(usage),
    ...(typeof finish === 'string' && { finish }),
  }
}

/** The sum of what two calls reported. */
export function addUsage(a: ModelUsage | undefined, b: ModelUsage): ModelUsage | undefined {
  const inputTokens = add(a?.inputTokens, b.inputTokens)
  const outputTokens = add(a?.outputTokens, b.outputTokens)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return defined({ inputTokens, outputTokens })
}

function add(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0)
}

function readText(text: unknown, charactersMax: number): ReadAnswer['text'] {
  if (typeof text !== 'string') return { reason: 'wrong-shape' }
  return text.length > charactersMax ? { reason: 'longer' } : text
}

function readUsage(usage: unknown): ModelUsage {
  if (typeof usage !== 'object' || usage === null) return {}
  const { inputTokens, outputTokens } = usage as { readonly [Key in keyof ModelUsage]?: unknown }
  return { ...(isCount(inputTokens) && { inputTokens }), ...(isCount(outputTokens) && { outputTokens }) }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
