import { defined } from '../domain/defined.ts'
import { isPlainObject } from '../domain/check-json.ts'
import { refuse } from '../domain/refuse.ts'
import type { ModelAnswer, ModelUsage } from '../ports/language-model.ts'

/** Reads what a user's own function returned. */
export function readAnswer(name: string, answer: unknown): ModelAnswer {
  const attempt = `read the reply of ${name}`
  if (typeof answer !== 'object' || answer === null) refuse(attempt, 'answer', answer, 'a text or { text }')
  const text = 'text' in answer ? answer.text : undefined
  if (typeof text !== 'string') refuse(attempt, 'text', text, 'a string')
  const usage = readUsage('usage' in answer ? answer.usage : undefined)
  const finish = 'finish' in answer ? answer.finish : undefined
  return { text, ...(usage && { usage }), ...(typeof finish === 'string' && { finish }) }
}

/** Figures as numbers (AI SDK v2, functions) or by kind with a total (v3, v4). What is no count is left out. */
export function readUsage(usage: unknown): ModelUsage | undefined {
  if (typeof usage !== 'object' || usage === null) return undefined
  const inputTokens = readTokens('inputTokens' in usage ? usage.inputTokens : undefined)
  const outputTokens = readTokens('outputTokens' in usage ? usage.outputTokens : undefined)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return defined({ inputTokens, outputTokens })
}

function readTokens(figure: unknown): number | undefined {
  const tokens = isPlainObject(figure) ? figure['total'] : figure
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens >= 0 ? Math.ceil(tokens) : undefined
}
