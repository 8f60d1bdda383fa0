import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Session } from '../../api/session.ts'
import { budgetFor } from '../../context/budget-for.ts'
import { convert } from '../../dialects/convert.ts'
import type { DialectForms } from '../../dialects/forms.ts'
import { LONG_TERM_TAG } from '../../domain/recalled.ts'
import { MemoryError } from '../../domain/error.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import type { LongTermMemory } from '../../api/long-term-memory.ts'
import { longTermMemory } from '../../tools/long-term-memory.ts'
import { isStoredEnd, newMessages } from '../../tools/new-messages.ts'
import { answerMessages } from './answer-content.ts'
import type { MemoryForModel } from './memory-options.ts'
import { promptMessages } from './prompt-messages.ts'
import type { Answer } from './record-answers.ts'
import { systemText } from './system-text.ts'
import { withOwnSystem } from './with-own-system.ts'

type PromptMessage = LanguageModelV4Prompt[number]

/** A window of unknown size is taken to be at least so large. */
const BUDGET_OF_UNKNOWN_MODEL = 16_000
const RECALL_BUDGET = 1_000
const RECALL_SHARE_MAX = 0.25
/** Turns whose beginning is kept, so that their later steps are recognised. */
const TURNS_KEPT_MAX = 32

/** What a request shows beside the conversation. */
interface Shown {
  readonly system: readonly { readonly content: unknown }[]
  readonly recalled?: string
}

/** The messages of a turn's first request. */
interface Opening {
  readonly texts: readonly string[]
  /** Whether the log was empty. Then a host that keeps the conversation begins its next turn with the same messages. */
  readonly isFirst: boolean
}

/** One conversation in the log, as the requests of a model show it. */
export class ChatLog {
  readonly session: Session
  readonly #options: MemoryForModel
  readonly #recall: LongTermMemory | undefined
  /** How turns began whose history comes from the log. */
  readonly #openings: Opening[] = []
  #recording: Promise<unknown> = Promise.resolve()

  constructor(options: MemoryForModel) {
    const { scope, session, mode = 'both', recallBudget = RECALL_BUDGET, context, onError } = options
    const recalled = context?.budget === undefined ? recallBudget : Math.max(1, roomFor(recallBudget, context.budget))
    this.#options = options
    this.session = scope.session(session)
    this.#recall =
      mode === 'agent'
        ? undefined
        : longTermMemory(scope, { session, mode: 'static', budget: recalled, ...(onError && { onError }) })
  }

  /** Stores what is new in a prompt, and returns the prompt with history and memories. */
  async prepare(params: LanguageModelV4CallOptions, modelId: string): Promise<LanguageModelV4CallOptions> {
    const system = params.prompt.filter(({ role }) => role === 'system')
    const said = params.prompt.filter((message) => message.role !== 'system' && !isRecalled(message))
    const isOurs = await this.#isHistoryOurs(said)
    const drafts = toDrafts(said)
    await this.record(drafts)
    if (!isOurs) return { ...params, prompt: await this.#withRecalled([...system, ...said], drafts) }
    const recalled = this.#recall === undefined ? '' : await this.#recall.recallFor(await this.#visible())
    const wire = await this.fitted(modelId, { system, recalled })
    return { ...params, prompt: withOwnSystem(promptMessages(wire), system) }
  }

  /** Stores those messages that the log does not have yet. */
  async record(drafts: readonly NewMessage[]): Promise<void> {
    if (drafts.length === 0) return
    // One after the other: what is new depends on what was stored before.
    const recorded = this.#recording.then(async () => {
      const stored = await this.session.recent(drafts.length)
      const fresh = isStoredEnd(drafts, stored) ? [] : newMessages(drafts, stored)
      if (fresh.length > 0) await this.session.append(fresh)
    })
    this.#recording = recorded.catch(() => undefined)
    await recorded
  }

  /** Of a reply that was cut off, the text is stored and marked: calls of tools would never get a result. */
  async recordAnswer({ content, cut }: Answer): Promise<void> {
    const messages = answerMessages(cut ? content.filter(({ type }) => type === 'text') : content)
    const marked = cut ? messages.map((message) => ({ ...message, metadata: { interrupted: true } })) : messages
    if (marked.length > 0) await this.session.append(marked)
  }

  /**
   * The whole request, within the window of the model: the instructions of the host, the conversation as the log has it, and what was
   * recalled. All of it is in the recorded context.
   */
  async fitted(modelId: string, { system, recalled = '' }: Shown): Promise<DialectForms['ai-sdk']> {
    const { context: options } = this.#options
    const budget = options?.budget ?? knownBudget(modelId)
    const instructions = [systemText(system), options?.system ?? ''].filter((text) => text !== '').join('\n\n')
    const context = await this.session.context({
      ...options,
      model: modelId,
      budget,
      ...(instructions === '' ? {} : { system: instructions }),
      ...(recalled === '' ? {} : { recall: { text: recalled } }),
    })
    return context.as('ai-sdk')
  }

  /** The messages that a context may show. */
  async #visible(): Promise<readonly NewMessage[]> {
    return (await this.session.window()).filter((entry) => 'role' in entry)
  }

  /** Whether the messages before these come from the log. Later steps of a turn are like its first one. */
  async #isHistoryOurs(said: readonly PromptMessage[]): Promise<boolean> {
    const { history = 'auto' } = this.#options
    if (history !== 'auto') return history === 'memory'
    const texts = said.map((message) => JSON.stringify(message))
    if (this.#openings.some((opening) => isLaterStep(opening, said, texts))) return true
    if (said.some(({ role }) => role === 'assistant') || said.length === 0) return false
    const [last] = await this.session.recent(1)
    this.#openings.push({ texts, isFirst: last === undefined })
    if (this.#openings.length > TURNS_KEPT_MAX) this.#openings.shift()
    return true
  }

  /** What is remembered comes right after the newest message of the user and is never stored. */
  async #withRecalled(prompt: LanguageModelV4Prompt, shown: readonly NewMessage[]): Promise<LanguageModelV4Prompt> {
    const text = (await this.#recall?.recallFor(shown)) ?? ''
    const at = prompt.findLastIndex(({ role }) => role === 'user')
    if (text === '' || at < 0) return prompt
    return prompt.toSpliced(at + 1, 0, { role: 'user', content: [{ type: 'text', text }] })
  }
}

function isLaterStep(
  { texts: opening, isFirst }: Opening,
  said: readonly PromptMessage[],
  texts: readonly string[],
): boolean {
  if (opening.some((text, index) => texts[index] !== text)) return false
  return !isFirst || said.slice(opening.length).every(({ role }) => role !== 'user')
}

/** Recalled text gets at most a quarter of the budget, so that a small one has room for the conversation. */
function roomFor(recallBudget: number, budget: number): number {
  return Math.min(recallBudget, Math.floor(budget * RECALL_SHARE_MAX))
}

function knownBudget(model: string): number {
  try {
    return budgetFor({ model })
  } catch (error) {
    if (MemoryError.is(error, 'input/invalid')) return BUDGET_OF_UNKNOWN_MODEL
    throw error
  }
}

function toDrafts(prompt: LanguageModelV4Prompt): readonly NewMessage[] {
  return prompt.length === 0 ? [] : convert(prompt, { from: 'ai-sdk', to: 'daybook' })
}

/** What this or another layer recalled for the model is not part of the conversation. */
function isRecalled({ role, content }: PromptMessage): boolean {
  if (role !== 'user' || content.length !== 1) return false
  const [part] = content
  return part?.type === 'text' && part.text.startsWith(`<${LONG_TERM_TAG} nonce=`)
}
