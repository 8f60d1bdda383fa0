import { defined } from '../domain/defined.ts'
import type {
  Block,
  BlockChange,
  BlockEdit,
  BlockHistoryOptions,
  BlockSettings,
  BlockWriteOptions,
  Blocks,
} from '../api/blocks.ts'
import type { Expecting } from '../api/state.ts'
import { blockPlace } from '../domain/block-place.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONValue } from '../domain/json.ts'
import { quote } from '../domain/refuse.ts'
import { TRUST_OF_CHANNEL, type Trust } from '../domain/trust.ts'
import type { Address } from '../log/log.ts'
import { redactState } from '../log/redact.ts'
import type { StateRow } from '../ports/state-store.ts'
import { type NextVersion, type RowChange, changeRow, conflict } from '../state/change-row.ts'
import type { StateWiring } from '../state/wiring.ts'
import { blockOperations as operations } from '../surface/blocks.ts'
import { checkCall } from '../surface/check-call.ts'
import { withEdit, withSettings } from './change-content.ts'
import { type BlockReading, effectiveBlocks } from './effective-blocks.ts'
import { checkSchema } from './schema-problem.ts'
import { type BlockContent, type StoredBlock, asBlock, asChange, blockContent, labelsOf } from './stored-block.ts'
import { versionBefore } from './version-before.ts'

const CHANGES_PER_PAGE = 100

/** What blocks need of an open memory. */
type BlockWiring = StateWiring & BlockReading

/** The one that works on a store of its own; `daybook/client` has the one behind a server. */
export class LocalBlocks implements Blocks {
  readonly #parts: BlockWiring
  readonly #owner: Address

  /** @internal Use `scope.blocks` or `session.blocks`. The session is empty for those of a scope. */
  constructor(parts: BlockWiring, owner: Address) {
    this.#parts = parts
    this.#owner = owner
  }

  async list(): Promise<readonly Block[]> {
    return (await this.#seen()).map(asBlock)
  }

  async get(name: string): Promise<Block | undefined> {
    checkCall(operations.get, name)
    const found = await this.#find(name)
    return found === undefined ? undefined : asBlock(found)
  }

  async set(name: string, given: string | BlockSettings, options: BlockWriteOptions = {}): Promise<Block> {
    const block: BlockSettings = typeof given === 'string' ? { text: given } : given
    checkCall(operations.set, name, block, options)
    if (block.schema != null) checkSchema(operations.set.attempt, 'schema', block.schema)
    const clean = await this.#redacted(name, block)
    checkCall(operations.set, name, clean, options)
    // A block that takes the place of an inherited one starts from it.
    const inherited = await this.#find(name)
    const stored = await this.#write(name, options, (own, writer) =>
      withSettings({ name, before: own ?? inheritedContent(inherited), writer }, clean),
    )
    // Nothing is stored of what is derived: it is read as everybody will see it.
    return stored.derivedFrom === undefined ? stored : ((await this.get(name)) ?? stored)
  }

  async edit(name: string, given: BlockEdit, options: BlockWriteOptions = {}): Promise<Block> {
    checkCall(operations.edit, name, given, options)
    const clean = await this.#redacted(name, given)
    checkCall(operations.edit, name, clean, options)
    const found = await this.#find(name)
    return this.#write(name, options, (own, writer) =>
      own === undefined ? missing(name, found) : withEdit({ name, before: own, writer }, clean),
    )
  }

  async undo(name: string, options: Expecting = {}): Promise<Block | undefined> {
    checkCall(operations.undo, name, options)
    // Earlier versions are read before the transaction. If the block changed meanwhile, they are read again.
    for (;;) {
      const found = await versionBefore((version) => this.#versions(name, { before: version, limit: 1 }))
      if (found === undefined) throw nothingToUndo(name)
      const { now, earlier } = found
      const outcome = await this.#change<Block | undefined | 'changed'>(name, (row, next) => {
        const stale = conflict(name, options.expected, row?.version)
        if (stale !== undefined) return stale
        if ((row?.version ?? 0) !== (now.value === null ? 0 : now.version)) return { result: 'changed' }
        return earlier === undefined ? { result: undefined, value: null } : this.#written(name, earlier, next)
      })
      if (outcome !== 'changed') return outcome
    }
  }

  async delete(name: string, options: Expecting = {}): Promise<boolean> {
    checkCall(operations.delete, name, options)
    return this.#change(name, (row) => {
      const found = row === undefined ? { result: false } : { result: true, value: null }
      return conflict(name, options.expected, row?.version) ?? found
    })
  }

  async history(name: string, options: BlockHistoryOptions = {}): Promise<readonly BlockChange[]> {
    checkCall(operations.history, name, options)
    const { limit = CHANGES_PER_PAGE, before = Number.MAX_SAFE_INTEGER } = options
    return (await this.#versions(name, { before, limit })).map(asChange)
  }

  /** As contexts show them. */
  #seen(): Promise<readonly StoredBlock[]> {
    this.#parts.work.checkOpen()
    return effectiveBlocks(this.#parts, this.#owner)
  }

  async #find(name: string): Promise<StoredBlock | undefined> {
    return (await this.#seen()).find((block) => block.name === name)
  }

  #versions(name: string, page: { readonly before: number; readonly limit: number }): Promise<readonly StateRow[]> {
    this.#parts.work.checkOpen()
    return this.#parts.store.state.history(this.#placeOf(name), { section: 'block', key: name, ...page })
  }

  #write(
    name: string,
    { expected, channel = 'operator' }: BlockWriteOptions,
    decide: (own: BlockContent | undefined, writer: Trust) => BlockContent | MemoryError,
  ): Promise<Block> {
    return this.#change(name, (row, next) => {
      const own = row === undefined || row.value === null ? undefined : blockContent(row.value)
      const content = conflict(name, expected, row?.version) ?? decide(own, TRUST_OF_CHANNEL[channel])
      return content instanceof MemoryError ? content : this.#written(name, content, next)
    })
  }

  #written(name: string, content: BlockContent, { version, at }: NextVersion): RowChange<Block> & object {
    const { scope, session: owner } = this.#owner
    return { result: asBlock({ ...content, scope, owner, name, version, at }), value: JSON.stringify(content) }
  }

  #change<Result>(
    name: string,
    decide: (row: StateRow | undefined, next: NextVersion) => RowChange<Result>,
  ): Promise<Result> {
    return changeRow(this.#parts, this.#placeOf(name), { section: 'block', key: name }, decide)
  }

  #placeOf(name: string): Address {
    return { scope: this.#owner.scope, session: blockPlace(this.#owner.session, name) }
  }

  async #redacted<Given extends object>(name: string, given: Given): Promise<Given> {
    const { redactor } = this.#parts
    if (redactor.state === undefined) return given
    return { ...given, ...(await redactState(redactor, { kind: 'block', key: name, value: wordsOf(given) })) }
  }
}

/** What a nearer block starts from: the words and settings of the inherited one. */
function inheritedContent(block: StoredBlock | undefined): BlockContent | undefined {
  if (block === undefined) return undefined
  const { text, tokens, limit, trust } = block
  return { text, tokens, limit, ...labelsOf(block), trust }
}

/** The words that a redactor sees. */
function wordsOf(given: object): Record<string, JSONValue> {
  const words = ['text', 'description', 'append', 'with', 'merge']
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => words.includes(name) && value !== null && value !== undefined),
  )
}

function missing(name: string, inherited: StoredBlock | undefined): MemoryError {
  const state =
    inherited === undefined
      ? 'there is none with this name. Create it with blocks.set'
      : `it belongs to the scope ${quote(inherited.scope)}, edit it there, or set one with the same name here`
  return new MemoryError('state/not-found', `Cannot edit block ${quote(name)}: ${state}`, {
    block: name,
    ...defined({ scope: inherited?.scope }),
  })
}

function nothingToUndo(name: string): MemoryError {
  return new MemoryError('state/not-found', `Cannot undo: block ${quote(name)} was never changed here`, { block: name })
}
