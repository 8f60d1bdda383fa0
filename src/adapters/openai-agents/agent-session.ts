import { defined } from '../../domain/defined.ts'
import type { AgentInputItem, RunContext } from '@openai/agents-core'
import type { ChangeStep } from '../../api/changes.ts'
import type { CompactOptions } from '../../api/contexts.ts'
import type { Scope } from '../../api/scope.ts'
import type { Session } from '../../api/session.ts'
import type { ForkOptions } from '../../api/sessions.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Draft } from '../../domain/message.ts'
import type { Moment } from '../../domain/moment.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { refuse } from '../../domain/refuse.ts'
import { anObject, mayHave, mustHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { anId, checkedBy, unchecked } from '../../shape/values.ts'
import { itemsFromMessage, messageFromItem, sorted } from './item-message.ts'
import { pack } from './pack-bytes.ts'

/** Whose memory, and which conversation. */
export interface AgentSessionOptions {
  /** The scope: `memory.scope('acme/ada')`, or a function that chooses it by the context of the run. */
  readonly scope: Scope | ((runContext: RunContext | undefined) => Scope)
  /** The id of the conversation. */
  readonly session: string
  /** Compacts the conversation after each turn, as `session.compact` does. @default no compaction */
  readonly compact?: CompactOptions
}

const aScopeOrChoice: Shape<AgentSessionOptions['scope']> = checkedBy(
  { kind: 'local' },
  'a scope',
  (attempt, _path, given) => {
    if (typeof given !== 'function') checkScopeHandle(attempt, given)
  },
)

const OPTIONS: Shape<AgentSessionOptions> = anObject<AgentSessionOptions>(undefined, {
  scope: mustHave(aScopeOrChoice, 'The scope, or a function that chooses it by the context of the run'),
  session: mustHave(anId, 'The id of the conversation'),
  compact: mayHave(unchecked('options of a compaction'), 'Compacts the conversation after each turn', 'no compaction'),
})

/** A change of the history that the runner wants to be made once. */
export type HistoryTransaction =
  | { type: 'append_items'; items: AgentInputItem[] }
  | { type: 'replace_suffix'; expectedSuffix: AgentInputItem[]; replacement: AgentInputItem[] }

const ATTEMPT = 'use a session of agents'
const GENERATION = 'openai-agents:generation'
const ITEMS_AT_ONCE_MAX = 1_000
const TRIES_MAX = 100

/**
 * A `Session` of the OpenAI Agents SDK in the log: `run(agent, input, { session: new AgentSession({ scope, session }) })`.
 *
 * Items come back as they were given. Changes are made in one transaction, and once. The messages are recalled and learned from like
 * all others.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { AgentSession } from 'daybook/openai-agents'
 * await using memory = await openMemory(':memory:')
 * const session = new AgentSession({ scope: memory.scope('acme/ada'), session: 'support-42' })
 * await session.addItems([{ type: 'message', role: 'user', content: 'I am Ada.' }])
 * console.log(await session.getItems())
 */
export class AgentSession {
  /** The runner gives the context of the run with each call. */
  readonly acceptsRunContext: true = true
  readonly #options: AgentSessionOptions
  /** The version of the log that a receipt is for. */
  readonly #owned = new WeakMap<object, number>()

  constructor(options: AgentSessionOptions) {
    OPTIONS.check(ATTEMPT, '', options)
    this.#options = options
  }

  getSessionId(): Promise<string> {
    return Promise.resolve(this.#options.session)
  }

  /** The items, oldest first: all, or the newest. What was compacted is shown by its summary. */
  async getItems(limit?: number, runContext?: RunContext): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit <= 0) return []
    const items = await this.#items(this.#open(runContext))
    return limit === undefined ? items : items.slice(-limit)
  }

  /** The items as they were at an earlier moment: a time, or a version of the log. */
  async itemsAsOf(asOf: Moment, runContext?: RunContext): Promise<AgentInputItem[]> {
    return this.#items(this.#open(runContext), asOf)
  }

  /** A new conversation that shares the items up to a point. Nothing is copied. */
  async fork(session: string, options: ForkOptions = {}, runContext?: RunContext): Promise<AgentSession> {
    await this.#open(runContext).fork(session, options)
    return new AgentSession({ ...this.#options, session })
  }

  async addItems(items: AgentInputItem[], runContext?: RunContext): Promise<void> {
    const session = this.#open(runContext)
    const messages = items.map(messageFromItem)
    for (let from = 0; from < messages.length; from += ITEMS_AT_ONCE_MAX)
      await session.append(messages.slice(from, from + ITEMS_AT_ONCE_MAX))
  }

  async popItem(runContext?: RunContext): Promise<AgentInputItem | undefined> {
    const session = this.#open(runContext)
    return this.#retry(async () => {
      const { version } = await session.change([])
      const [last] = await session.recent(1, { asOf: { version } })
      if (last === undefined) return undefined
      const items = itemsFromMessage(last)
      const rest = items.slice(0, -1).map(messageFromItem)
      const steps: readonly ChangeStep[] = [
        { type: 'remove', id: last.id },
        { type: 'append', messages: rest },
      ]
      await session.change(steps, { after: { version } })
      return items.at(-1) ?? this.popItem(runContext)
    })
  }

  /** Takes all items out of the conversation; the log keeps them. Operations may be repeated under their names afterwards. */
  async clearSession(runContext?: RunContext): Promise<void> {
    const session = this.#open(runContext)
    if ((await session.change([])).version === 0) return
    await session.state.set(GENERATION, (await generationOf(session)) + 1)
    await session.clear({ keepSystem: false })
  }

  async replaceHistoryWithCompaction(items: AgentInputItem[], runContext?: RunContext): Promise<void> {
    await this.#open(runContext).change([
      { type: 'clear', keepSystem: false },
      { type: 'append', messages: items.map(messageFromItem) },
    ])
  }

  /** Replaces the first call of each id, and takes out others of the same id. */
  async applyHistoryMutations(args: {
    mutations: { type: 'replace_function_call'; callId: string; replacement: AgentInputItem }[]
  }): Promise<void> {
    const session = this.#open(undefined)
    await this.#retry(async () => {
      const { version } = await session.change([])
      const live = await session.recent(Number.MAX_SAFE_INTEGER, { asOf: { version } })
      const steps = args.mutations.flatMap(({ callId, replacement }): readonly ChangeStep[] => {
        const [first, ...others] = live.filter((message) => isCall(message, callId))
        if (first === undefined) return []
        const { parts = [], provider = null } = messageFromItem(replacement)
        return [
          { type: 'revise', id: first.id, patch: { parts, provider } },
          ...others.map(({ id }) => ({ type: 'remove' as const, id })),
        ]
      })
      await session.change(steps, { after: { version } })
    })
  }

  /**
   * Makes a change of the history once, however often it is asked for.
   *
   * @throws {MemoryError} `log/id-conflict` if the operation was another one; `log/conflict` if the history does not end as expected.
   */
  async applyHistoryTransaction(
    args: { operationId: string; transaction: HistoryTransaction },
    runContext?: RunContext,
  ): Promise<void> {
    const { operationId, transaction } = args
    if (typeof operationId !== 'string' || operationId.trim() === '')
      refuse('change the history', 'operationId', operationId, 'a name that is not empty')
    const session = this.#open(runContext)
    const name = `${await generationOf(session)}:${operationId}`
    const request = JSON.stringify(sorted(pack(transaction as unknown as AgentInputItem)))
    if (transaction.type === 'append_items') {
      const messages = transaction.items.map(messageFromItem)
      await session.change([{ type: 'append', messages }], { operationId: name, request })
      return
    }
    const made = await this.#retry(() => this.#replaceSuffix(session, transaction, { operationId: name, request }))
    if (!made)
      throw new MemoryError(
        'log/conflict',
        'Cannot change the history: it does not end with the expected items, read it and try again',
        { operationId },
      )
  }

  /** Whether the history ended as expected, or the operation was made before. */
  async #replaceSuffix(
    session: Session,
    { expectedSuffix, replacement }: Extract<HistoryTransaction, { readonly type: 'replace_suffix' }>,
    operation: { readonly operationId: string; readonly request: string },
  ): Promise<boolean> {
    const { version } = await session.change([])
    const ending = await this.#ending(session, expectedSuffix, version)
    const append: ChangeStep = { type: 'append', messages: replacement.map(messageFromItem) }
    if (ending !== undefined) {
      const steps = [...ending.map((id) => ({ type: 'remove' as const, id })), append]
      await session.change(steps, { ...operation, after: { version } })
      return true
    }
    // Under a version that no log has, only an operation that was made before succeeds.
    const never = { version: Number.MAX_SAFE_INTEGER }
    return session.change([append], { ...operation, after: never }).then(
      () => true,
      (error: unknown) => {
        if (MemoryError.is(error, 'log/conflict')) return false
        throw error
      },
    )
  }

  /** Items are given to the model as they are stored. */
  prepareHistoryItemForModelInput(item: AgentInputItem): AgentInputItem {
    return item
  }

  /** Fields without a value are not stored. */
  prepareHistoryItemsForPersistenceComparison(items: AgentInputItem[]): AgentInputItem[] {
    return items.map((item) => pack(item) as AgentInputItem)
  }

  preserveReasoningItemIdsForPersistence(): boolean {
    return true
  }

  async getItemsWithCompactionOwnership(
    runContext?: RunContext,
  ): Promise<{ items: AgentInputItem[]; ownership: object }> {
    const session = this.#open(runContext)
    const { version } = await session.change([])
    const ownership = {}
    this.#owned.set(ownership, version)
    return { items: await this.#items(session, { version }), ownership }
  }

  /** Stores the items in any case. The receipt stays good only if nobody else changed the history since it was read. */
  async addItemsWithCompactionOwnership(
    items: AgentInputItem[],
    ownership: object | null,
    runContext?: RunContext,
  ): Promise<void> {
    const session = this.#open(runContext)
    const version = ownership === null ? undefined : this.#owned.get(ownership)
    if (ownership === null || version === undefined || items.length > ITEMS_AT_ONCE_MAX)
      return this.addItems(items, runContext)
    const step: ChangeStep = { type: 'append', messages: items.map(messageFromItem) }
    try {
      this.#owned.set(ownership, (await session.change([step], { after: { version } })).version)
    } catch (error) {
      if (!MemoryError.is(error, 'log/conflict')) throw error
      this.#owned.delete(ownership)
      await this.addItems(items, runContext)
    }
  }

  /**
   * Called by the runner after each turn. Compacts as the option `compact` says; the log keeps everything, and `undo` undoes it.
   * Returns no usage: no request was made to OpenAI.
   */
  async runCompaction(
    args: { force?: boolean } = {},
    runContext?: RunContext,
    ownership?: object | null,
  ): Promise<null> {
    const { compact } = this.#options
    if (compact === undefined && args.force !== true) return null
    const session = this.#open(runContext)
    if (ownership !== undefined) {
      const version = ownership === null ? undefined : this.#owned.get(ownership)
      if (version === undefined || version !== (await session.change([])).version) return null
    }
    await session.compact({ ...compact, ...(args.force === true ? { force: true } : {}) })
    return null
  }

  #open(runContext: RunContext | undefined): Session {
    const { scope, session } = this.#options
    if (typeof scope !== 'function') return scope.session(session)
    const chosen = scope(runContext)
    checkScopeHandle(ATTEMPT, chosen)
    return chosen.session(session)
  }

  async #items(session: Session, asOf?: Moment): Promise<AgentInputItem[]> {
    const window = await session.window(defined({ asOf }))
    return window.flatMap((one): readonly Draft[] => ('standIn' in one ? one.standIn : [one])).flatMap(itemsFromMessage)
  }

  /** The ids of the messages that are these items, if the history ends with them. */
  async #ending(
    session: Session,
    expected: readonly AgentInputItem[],
    version: number,
  ): Promise<readonly string[] | undefined> {
    if (expected.length === 0) return []
    const live = await session.recent(expected.length, { asOf: { version } })
    const same = (a: readonly AgentInputItem[]): string => JSON.stringify(a.map((item) => sorted(pack(item))))
    return same(live.flatMap(itemsFromMessage)) === same(expected) ? live.map(({ id }) => id) : undefined
  }

  /** Somebody else may write at the same time: then it is read again. */
  async #retry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries++)
      try {
        return await work()
      } catch (error) {
        if (!MemoryError.is(error, 'log/conflict') || tries >= TRIES_MAX) throw error
      }
  }
}

function isCall(message: Draft, callId: string): boolean {
  return message.parts.some((part) => part.type === 'tool-call' && part.id === callId)
}

async function generationOf(session: Session): Promise<number> {
  const generation = await session.state.get(GENERATION)
  return typeof generation === 'number' ? generation : 0
}
