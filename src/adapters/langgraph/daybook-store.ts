import { defined } from '../../domain/defined.ts'
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import type { RecordChange, Records, StoredRecord } from '../../api/records.ts'
import type { Scope } from '../../api/scope.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { someText } from '../../shape/values.ts'
import type { JSONValue } from '../../domain/json.ts'
import { fitsFilter } from './fits-filter.ts'
import { itemKey, itemPrefix, readItemKey } from './item-key.ts'

const ATTEMPT = 'use a store of items'
const FOUND_DEFAULT = 10
const NAMESPACES_DEFAULT = 100
const PAGE = 100

/** How items are kept. */
export interface DaybookStoreOptions {
  /** The collection of records that has the items. @default 'items' */
  readonly collection?: string
}

const OPTIONS: Shape<DaybookStoreOptions> = anObject<DaybookStoreOptions>(undefined, {
  collection: mayHave(someText, 'The collection of records that has the items', 'items'),
})

/** What a record has. The time of its last change is the record's own. */
interface StoredItem {
  readonly value: Record<string, JSONValue>
  /** Of an item that was changed: when it was created. */
  readonly createdAt?: string
}

/**
 * The long-term store of LangGraph as records of a scope. A namespace is found by whole labels: `['user1']` does not find what is in
 * `['user10']`. Searches filter; there is no search by meaning.
 */
export class DaybookStore extends BaseStore {
  readonly #records: Records

  constructor(scope: Pick<Scope, 'records'>, options: DaybookStoreOptions = {}) {
    super()
    checkScopeHandle(ATTEMPT, scope)
    OPTIONS.check(ATTEMPT, '', options)
    this.#records = scope.records(options.collection ?? 'items')
  }

  /** Reads see what was there before the batch. Of several writes to one key, the last counts. */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = await Promise.all(
      operations.map(async (operation) => {
        if ('namespacePrefix' in operation) return this.#search(operation)
        if ('value' in operation) return undefined
        return 'key' in operation ? this.#get(operation) : this.#namespaces(operation)
      }),
    )
    const puts = operations.filter((operation): operation is PutOperation => 'value' in operation)
    if (puts.length > 0) await this.#put(puts)
    return results as OperationResults<Op>
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    const found = await this.#records.get(itemKey(namespace, key))
    return found === undefined ? null : itemOf(found)
  }

  async #put(puts: readonly PutOperation[]): Promise<void> {
    const last = new Map(puts.map((put) => [itemKey(put.namespace, put.key), put]))
    const changes = [...last].map(async ([key, { value }]): Promise<RecordChange> => {
      if (value === null) return { delete: key }
      const before = await this.#records.get(key)
      const createdAt = before === undefined ? {} : { createdAt: itemOf(before).createdAt.toISOString() }
      // As it will be read: what JSON does not have is left out.
      return { put: key, content: JSON.parse(JSON.stringify({ value, ...createdAt })) as JSONValue }
    })
    await this.#records.change(await Promise.all(changes))
  }

  async #search({
    namespacePrefix,
    filter = {},
    limit = FOUND_DEFAULT,
    offset = 0,
  }: SearchOperation): Promise<SearchItem[]> {
    const found: SearchItem[] = []
    for await (const record of this.#below(itemPrefix(namespacePrefix), true)) {
      if (found.length >= offset + limit) break
      const item = itemOf(record)
      if (fitsFilter(item.value, filter)) found.push(item)
    }
    return found.slice(offset, offset + limit)
  }

  async #namespaces({
    matchConditions = [],
    maxDepth,
    limit = NAMESPACES_DEFAULT,
    offset = 0,
  }: ListNamespacesOperation): Promise<string[][]> {
    const found = new Map<string, string[]>()
    for await (const { key } of this.#below(itemPrefix([]), false)) {
      const { namespace } = readItemKey(key)
      if (!matchConditions.every(({ matchType, path }) => isAt(namespace, path, matchType))) continue
      const shown = namespace.slice(0, maxDepth)
      found.set(JSON.stringify(shown), shown)
    }
    return [...found.values()].slice(offset, offset + limit)
  }

  async *#below(prefix: string, contents: boolean): AsyncGenerator<StoredRecord> {
    for (let after: string | undefined; ;) {
      const page = await this.#records.list({
        prefix,
        contents,
        limit: PAGE,
        ...defined({ after }),
      })
      // A large content does not come with the list.
      for (const record of page)
        yield contents && record.json === undefined ? ((await this.#records.get(record.key)) ?? record) : record
      after = page.at(-1)?.key
      if (page.length < PAGE) return
    }
  }
}

function itemOf({ key, json, at }: StoredRecord): Item {
  const { value, createdAt = at } = json as unknown as StoredItem
  return { value, ...readItemKey(key), createdAt: new Date(createdAt), updatedAt: new Date(at) }
}

/** Whether a namespace begins or ends with these labels, of which `*` is any. */
function isAt(namespace: readonly string[], path: readonly string[], where: 'prefix' | 'suffix'): boolean {
  const from = where === 'prefix' ? 0 : namespace.length - path.length
  return (
    path.length <= namespace.length && path.every((label, index) => label === '*' || label === namespace[from + index])
  )
}
