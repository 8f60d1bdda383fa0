import type { LongTermMemory, LongTermOptions } from '../api/long-term-memory.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { LONG_TERM_TAG, RECALLED, isRecalled } from '../domain/recalled.ts'
import { refuse } from '../domain/refuse.ts'
import type { LongTermScope } from './long-term-scope.ts'
import { memoryTools } from './memory-tools.ts'
import { noteTools } from './note-tools.ts'
import { textOf } from '../domain/text-of.ts'
import { newMessages } from './new-messages.ts'
import { within } from '../model/within.ts'
import { fitBlock } from '../recall/block/fit-block.ts'
import { type RecalledItem, shownItem } from '../recall/block/shown-item.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aCallback, aCount, aFlag, anId, oneOf } from '../shape/values.ts'
import { withinTokens } from '../recall/block/within-tokens.ts'
import type { Tool } from '../api/tool.ts'

const DEADLINE_MS = 2_000
const BUDGET = 1_000
const QUERY_CHARACTERS_MAX = 2_000
const APPENDED_AT_ONCE_MAX = 1_000
const modes = ['static', 'agent', 'both'] as const

const OPTIONS: Shape<LongTermOptions> = anObject<LongTermOptions>(undefined, {
  session: mustHave(anId, 'The conversation that is recorded and read'),
  mode: mayHave(oneOf(modes), 'Who uses the memory', 'both'),
  budget: mayHave(aCount, 'Tokens that recalled text may cost', '1,000'),
  deadlineMs: mayHave(aCount, 'How long a request waits for recall, in milliseconds', '2,000'),
  notes: mayHave(aFlag, 'Also gives the agent a scratchpad in this session', 'false'),
  allowDestroy: mayHave(aFlag, 'Also gives the agent `forget`', 'false'),
  onError: mayHave(aCallback(), 'Called with the reason when nothing could be retrieved'),
})

const RECORD_OPTIONS: Shape<RecordOptions> = anObject<RecordOptions>(undefined, {
  operationId: mayHave(anId, 'Names the call, so that a retry stores nothing'),
})

interface RecordOptions {
  readonly operationId?: string
}

/** Long-term memory in an agent's loop: `augment` before the model is called, `record` after, `tools` for the agent itself. */
export function longTermMemory(scope: LongTermScope, options: LongTermOptions): LongTermMemory {
  return new LocalLongTermMemory(scope, options)
}

class LocalLongTermMemory implements LongTermMemory {
  readonly mode: (typeof modes)[number]
  readonly #scope: LongTermScope
  readonly #options: Required<Omit<LongTermOptions, 'mode'>>
  /** The retrieval of this turn, for all its steps: one that failed is not tried again before the next turn. */
  #turn: { readonly key: string; readonly text: Promise<string> } | undefined
  #recording: Promise<unknown> = Promise.resolve()
  /** The host's own objects: given again, they are not new. */
  readonly #recorded = new WeakSet<NewMessage>()

  constructor(scope: LongTermScope, options: LongTermOptions) {
    const attempt = 'use long-term memory'
    OPTIONS.check(attempt, '', options)
    const { session, mode = 'both', budget = BUDGET, deadlineMs = DEADLINE_MS } = options
    const { notes = false, allowDestroy = false, onError = () => undefined } = options
    this.mode = mode
    this.#scope = scope
    this.#options = { session, budget, deadlineMs, notes, allowDestroy, onError }
  }

  async record(messages: readonly NewMessage[], options: RecordOptions = {}): Promise<readonly Message[]> {
    if (!Array.isArray(messages)) refuse('record', 'messages', messages, 'an array of messages')
    RECORD_OPTIONS.check('record', '', options)
    if (this.mode === 'agent') return []
    // One after the other: what is new depends on what was recorded before.
    const recorded = this.#recording.then(() => this.#record(messages, options.operationId))
    this.#recording = recorded.catch(() => undefined)
    return recorded
  }

  async retrieve(message: NewMessage | string, shown: readonly NewMessage[] = []): Promise<string> {
    const query = (typeof message === 'string' ? message : textOf(message)).slice(-QUERY_CHARACTERS_MAX)
    if (query.trim() === '') return ''
    const { budget, deadlineMs, onError } = this.#options
    const found = await within(deadlineMs, new AbortController().signal, () =>
      this.#scope.recall(query, { budget, relevant: true }),
    )
    if (!found.ok) {
      tell(onError, found.error)
      return ''
    }
    const hidden = found.value.items.filter((item) => !this.#isVisible(item, shown))
    const { text } = await fitBlock(hidden, shownItem, { fits: (block) => withinTokens(block, budget) })
    return text
  }

  async augment(messages: readonly NewMessage[]): Promise<readonly NewMessage[]> {
    if (!Array.isArray(messages)) refuse('augment a request', 'messages', messages, 'an array of messages')
    if (this.mode === 'agent') return messages
    const input = messages.filter((message) => !isRecalled(message))
    const at = input.findLastIndex(({ role }) => role === 'user')
    const text = await this.recallFor(input)
    if (text === '') return messages
    const recalled: NewMessage = {
      role: 'user',
      name: LONG_TERM_TAG,
      content: text,
      metadata: { daybook: RECALLED },
    }
    return input.toSpliced(at + 1, 0, recalled)
  }

  async recallFor(messages: readonly NewMessage[]): Promise<string> {
    const asked = messages.findLast(({ role }) => role === 'user')
    return asked === undefined || this.mode === 'agent' ? '' : this.#retrieveOnce(asked, messages)
  }

  tools(): readonly Tool[] {
    const { session, budget, notes, allowDestroy } = this.#options
    if (this.mode === 'static') return []
    const tools = memoryTools({ scope: this.#scope, session, budget, allowDestroy })
    return notes ? [...tools, ...noteTools(() => this.#scope.session(session).state?.notes)] : tools
  }

  /** A turn is known by its user message; two that say the same are told apart by how many there are. */
  #retrieveOnce(asked: NewMessage, input: readonly NewMessage[]): Promise<string> {
    const turns = input.filter(({ role }) => role === 'user').length
    const key = JSON.stringify([asked.id ?? turns, textOf(asked)])
    if (this.#turn?.key !== key) this.#turn = { key, text: this.retrieve(asked, input) }
    return this.#turn.text
  }

  /** Of this very conversation, and among what is sent: by id, or word for word. */
  #isVisible({ source, text }: RecalledItem, shown: readonly NewMessage[]): boolean {
    if (source.session !== this.#options.session) return false
    return shown.some((message) => message.id === source.id || textOf(message).includes(text.trim()))
  }

  async #record(messages: readonly NewMessage[], operationId: string | undefined): Promise<readonly Message[]> {
    const said = messages.filter((message) => !isRecalled(message))
    if (said.length === 0) return []
    const session = this.#scope.session(this.#options.session)
    if (operationId !== undefined) return session.append(said, { operationId })
    // A message with an id is recognised by the log itself.
    const fresh = said.every(({ id }) => id !== undefined)
      ? said
      : newMessages(said, await session.recent(said.length), (message) => this.#recorded.has(message))
    const stored: Message[] = []
    for (let from = 0; from < fresh.length; from += APPENDED_AT_ONCE_MAX)
      stored.push(...(await session.append(fresh.slice(from, from + APPENDED_AT_ONCE_MAX))))
    for (const message of said) this.#recorded.add(message)
    return stored
  }
}

function tell(listener: (error: unknown) => void, error: unknown): void {
  try {
    listener(error)
  } catch {
    // told, and that is all that was promised
  }
}
