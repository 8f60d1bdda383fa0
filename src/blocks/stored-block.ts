import { defined } from '../domain/defined.ts'
import type { Block, BlockChange, BlockSource } from '../api/blocks.ts'
import type { JSONObject } from '../domain/json.ts'
import { type Trust, lowestTrust } from '../domain/trust.ts'
import type { BlockOwner, StateRow } from '../ports/state-store.ts'

/** What one version of a block says, as its row has it. */
export interface BlockContent {
  readonly text: string
  readonly tokens: number
  readonly limit: number
  readonly description?: string
  readonly schema?: JSONObject
  /** Its text is made when it is read. */
  readonly derivedFrom?: 'facts'
  /** One digit for the description and one for each line of the text: its trust. */
  readonly trust: string
  /** The version that it repeats, where a change was taken back. */
  readonly from?: number
}

interface Labels {
  readonly description?: string | undefined
  readonly schema?: JSONObject | undefined
  readonly derivedFrom?: 'facts' | undefined
}

/** A block as it is stored, with its owner. */
export interface StoredBlock extends BlockContent, BlockOwner {
  readonly name: string
  readonly version: number
  readonly at: number
  /** Of a derived text. */
  readonly sources?: readonly BlockSource[]
}

export function blockFromRow({ scope, owner }: BlockOwner, row: StateRow): StoredBlock | undefined {
  const { key: name, version, at, value } = row
  return value === null ? undefined : { ...blockContent(value), scope, owner, name, version, at }
}

export function blockContent(value: string): BlockContent {
  return JSON.parse(value) as BlockContent
}

/** What a block has besides its text, as far as it has it. */
export function labelsOf({
  description,
  schema,
  derivedFrom,
}: Labels): Pick<BlockContent, 'description' | 'schema' | 'derivedFrom'> {
  return {
    ...defined({ description, schema, derivedFrom }),
  }
}

/** The least trusted of its words. */
function trustOf({ trust }: Pick<BlockContent, 'trust'>): Trust {
  return lowestTrust([...trust].map((digit) => Number(digit) as Trust))
}

export function asBlock(stored: StoredBlock): Block {
  const { name, scope, owner, version, at, text, tokens, limit } = stored
  return {
    name,
    text,
    tokens,
    limit,
    ...labelsOf(stored),
    ...defined({ sources: stored.sources }),
    trust: trustOf(stored),
    version,
    at: new Date(at).toISOString(),
    scope,
    ...(owner === '' ? {} : { session: owner }),
  }
}

export function asChange({ key: name, version, at, value }: StateRow): BlockChange {
  const change = { name, version, at: new Date(at).toISOString() }
  if (value === null) return change
  const content = blockContent(value)
  const { text, tokens, limit } = content
  return { ...change, text, tokens, limit, ...labelsOf(content) }
}
