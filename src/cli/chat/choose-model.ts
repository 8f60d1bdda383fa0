import type { TurnModelFunction } from '../../api/turn.ts'
import type { AISDKModel } from '../../providers/ai-sdk-model.ts'
import { CommandError } from '../exit-status.ts'
import type { Shell } from '../shell.ts'
import { needed } from './needed.ts'
import { scriptedModel } from './scripted-model.ts'

/** Whom a person talks to, with a name for people. */
export type ChosenModel = { readonly name: string } & (
  | { readonly model: TurnModelFunction; readonly scripted: true }
  | { readonly model: AISDKModel; readonly scripted: false }
)

/** Small and quick of each provider; `--model` names another. */
const models = { openai: 'gpt-5-mini', anthropic: 'claude-haiku-4-5', google: 'gemini-2.5-flash' } as const

/**
 * Whom to talk to, by what the environment has: an OpenAI-compatible address before keys, since whoever names an address means
 * it. With neither, a script.
 */
export async function chooseModel(env: Shell['env'], named?: string): Promise<ChosenModel> {
  const wanted = named ?? given(env, 'DAYBOOK_MODEL')
  const baseURL = given(env, 'DAYBOOK_BASE_URL')
  if (baseURL !== undefined) {
    if (wanted === undefined)
      throw new CommandError(
        'usage',
        `Cannot chat at ${baseURL}: expected --model <name> or DAYBOOK_MODEL, for example llama3.2`,
      )
    const { createOpenAI } = await needed('@ai-sdk/openai', () => import('@ai-sdk/openai'))
    // A key of OpenAI's is not for others. Local servers want none, and the SDK wants one.
    const provider = createOpenAI({ baseURL, apiKey: given(env, 'DAYBOOK_API_KEY') ?? 'none' })
    return real(provider.chat(wanted), `${wanted} at ${baseURL}`)
  }
  const openaiKey = given(env, 'OPENAI_API_KEY')
  if (openaiKey !== undefined) {
    const { createOpenAI } = await needed('@ai-sdk/openai', () => import('@ai-sdk/openai'))
    return real(createOpenAI({ apiKey: openaiKey })(wanted ?? models.openai))
  }
  const anthropicKey = given(env, 'ANTHROPIC_API_KEY')
  if (anthropicKey !== undefined) {
    const { createAnthropic } = await needed('@ai-sdk/anthropic', () => import('@ai-sdk/anthropic'))
    return real(createAnthropic({ apiKey: anthropicKey })(wanted ?? models.anthropic))
  }
  const googleKey = given(env, 'GOOGLE_GENERATIVE_AI_API_KEY')
  if (googleKey !== undefined) {
    const { createGoogle } = await needed('@ai-sdk/google', () => import('@ai-sdk/google'))
    return real(createGoogle({ apiKey: googleKey })(wanted ?? models.google))
  }
  return { model: scriptedModel(), name: 'a script instead of a language model', scripted: true }
}

async function real(model: AISDKModel, name = `${model.modelId} (${model.provider})`): Promise<ChosenModel> {
  // Before anything is typed: what cannot be sent need not be written.
  await needed('ai', () => import('ai'))
  return { model, name, scripted: false }
}

function given(env: Shell['env'], name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}
