import { defined } from '../domain/defined.ts'
import { refuse } from '../domain/refuse.ts'
import type { LanguageModel, ModelAnswer } from '../ports/language-model.ts'
import { readUsage } from './read-answer.ts'

/** What `doGenerate` is called with: what versions 2, 3 and 4 of the specification have in common, and no tools. */
export interface AISDKCallOptions {
  prompt: ({ role: 'system'; content: string } | { role: 'user'; content: { type: 'text'; text: string }[] })[]
  maxOutputTokens: number
  responseFormat: { type: 'json'; schema: object; name: string }
  abortSignal: AbortSignal
}

/**
 * The part of the AI SDK's `LanguageModelV2`, `V3` and `V4` that is used here, so that none of its packages is needed.
 * Answers are read and not trusted: what they look like differs between versions and, in practice, between providers.
 */
export interface AISDKModel {
  readonly specificationVersion: 'v2' | 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  doGenerate(options: AISDKCallOptions): PromiseLike<unknown>
}

export function modelFromAISDK(model: AISDKModel): LanguageModel {
  const name = `${model.provider}/${model.modelId}`
  return {
    name,
    async generate({ system, prompt, schema, tokensMax, signal }) {
      // No temperature: reasoning models refuse one, and no provider promises the same answer twice at 0.
      const result = await model.doGenerate({
        prompt: [
          { role: 'system', content: system },
          { role: 'user', content: [{ type: 'text', text: prompt }] },
        ],
        maxOutputTokens: tokensMax,
        responseFormat: { type: 'json', schema, name: 'summary' },
        abortSignal: signal,
      })
      return readResult(name, result)
    },
  }
}

function readResult(name: string, result: unknown): ModelAnswer {
  const attempt = `read the reply of ${name}`
  if (typeof result !== 'object' || result === null) refuse(attempt, 'result', result, 'an object')
  const usage = readUsage('usage' in result ? result.usage : undefined)
  const finish = readFinish('finishReason' in result ? result.finishReason : undefined)
  return { text: readText(attempt, result), ...(usage && { usage }), ...defined({ finish }) }
}

/** Since v4 a result may say which of its text is the structured one; an empty text is a choice too. */
function readText(attempt: string, result: object): string {
  if ('structuredOutputText' in result && typeof result.structuredOutputText === 'string')
    return result.structuredOutputText
  const content = 'content' in result ? result.content : undefined
  if (!Array.isArray(content)) refuse(attempt, 'content', content, 'an array')
  return content.map((part: unknown) => (isText(part) ? part.text : '')).join('')
}

function isText(part: unknown): part is { readonly text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'type' in part &&
    part.type === 'text' &&
    'text' in part &&
    typeof part.text === 'string'
  )
}

/** A word in v2; `{ unified, raw }` in v3 and v4. */
function readFinish(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason
  if (typeof reason !== 'object' || reason === null || !('unified' in reason)) return undefined
  return typeof reason.unified === 'string' ? reason.unified : undefined
}
