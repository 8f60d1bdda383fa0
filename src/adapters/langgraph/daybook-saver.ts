import { defined } from '../../domain/defined.ts'
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
  TASKS,
  WRITES_IDX_MAP,
  getCheckpointId,
  maxChannelVersion,
} from '@langchain/langgraph-checkpoint'
import type { RecordChange, Records, StoredRecord } from '../../api/records.ts'
import type { Scope } from '../../api/scope.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { someText, unchecked } from '../../shape/values.ts'
import { MemoryError } from '../../domain/error.ts'
import { type CheckpointPlace, checkpointKeys as keys } from './checkpoint-keys.ts'
import { readHeader, withHeader } from './typed-bytes.ts'

const ATTEMPT = 'use a saver of checkpoints'
const PAGE = 100
const DELETED_AT_ONCE = 1_000
const ATTEMPTS_MAX = 8
/** Since this version of the format, what a task sends is in the channels of its checkpoint. */
const VERSION_WITH_SENDS = 4

interface NamedThread {
  readonly thread_id?: string
  readonly checkpoint_ns?: string
}

type Versions = Readonly<Record<string, number | string>>

/** The `RunnableConfig` of LangChain, which the package of the saver does not export. */
type RunnableConfig = Parameters<BaseCheckpointSaver['getTuple']>[0]

/** How checkpoints are kept. */
export interface DaybookSaverOptions {
  /** The collection of records that has the checkpoints. @default 'checkpoints' */
  readonly collection?: string
  /** How values become bytes. @default that of LangGraph */
  readonly serde?: SerializerProtocol
}

const OPTIONS: Shape<DaybookSaverOptions> = anObject<DaybookSaverOptions>(undefined, {
  collection: mayHave(someText, 'The collection of records that has the checkpoints', 'checkpoints'),
  serde: mayHave(unchecked('a serializer'), 'How values become bytes', 'that of LangGraph'),
})

/** What is before the bytes of a checkpoint, which has no channel values. */
interface CheckpointHeader {
  readonly type: string
  readonly parent?: string
  /** Where the metadata begins. */
  readonly metadataAt: number
}

interface WriteHeader {
  readonly type: string
  readonly task: string
  readonly channel: string
}

/**
 * Checkpoints of LangGraph as records of a scope. A value of a channel is stored once for each of its versions, so a step writes only
 * what it changed.
 */
export class DaybookSaver extends BaseCheckpointSaver {
  readonly #records: Records

  constructor(scope: Pick<Scope, 'records'>, options: DaybookSaverOptions = {}) {
    super(options.serde)
    checkScopeHandle(ATTEMPT, scope)
    OPTIONS.check(ATTEMPT, '', options)
    this.#records = scope.records(options.collection ?? 'checkpoints')
  }

  /**
   * The next version of a channel. It ends in a random fraction: two runs that go on from the same checkpoint, or a fork of it, must
   * not have the same version for different values.
   */
  override getNextVersion(current: number | undefined): number {
    return Math.floor(current ?? 0) + 1 + Math.random()
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const thread = config.configurable?.['thread_id'] as string | undefined
    if (thread === undefined) return undefined
    const place = { thread, namespace: namespaceOf(config) }
    const id = getCheckpointId(config)
    const found = id === '' ? await this.#newest(place) : await this.#records.get(keys.checkpoint(place, id))
    return found === undefined ? undefined : this.#tuple(found)
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id: thread, checkpoint_ns: namespace } = (config.configurable ?? {}) as NamedThread
    const wanted = getCheckpointId(config)
    const before = options.before === undefined ? '' : getCheckpointId(options.before)
    const filter = Object.entries(options.filter ?? {}).filter(([, value]) => value !== undefined)
    let left = options.limit ?? Number.POSITIVE_INFINITY
    const prefix = keys.checkpoints(thread === undefined ? {} : { thread, ...defined({ namespace }) })
    for await (const { key } of this.#below(prefix, 'descending')) {
      if (left <= 0) return
      const { id, namespace: found } = keys.read(key)
      if ((wanted !== '' && id !== wanted) || (before !== '' && id >= before)) continue
      if (namespace !== undefined && found !== namespace) continue
      const record = await this.#records.get(key)
      const tuple = record === undefined ? undefined : await this.#tuple(record, filter)
      if (tuple === undefined) continue
      left -= 1
      yield tuple
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: Versions,
  ): Promise<RunnableConfig> {
    const place = placeOf(config, 'put checkpoint')
    const parent = config.configurable?.['checkpoint_id'] as string | undefined
    const { channel_values: values, ...rest } = checkpoint
    const [[type, body], [metadataType, described]] = await Promise.all([
      this.serde.dumpsTyped({ ...rest, channel_values: {} }),
      this.serde.dumpsTyped(metadata),
    ])
    if (type !== metadataType) throw new Error('Mismatched checkpoint and metadata types.')
    const header: CheckpointHeader = { type, metadataAt: body.length, ...defined({ parent }) }
    const changes: RecordChange[] = []
    for (const [channel, version] of Object.entries(newVersions)) {
      if (!Object.hasOwn(values, channel)) continue
      const [valueType, bytes] = await this.serde.dumpsTyped(values[channel])
      changes.push({ put: keys.value(place, channel, version), content: withHeader({ type: valueType }, bytes) })
    }
    const content = withHeader(header, joined(body, described))
    await this.#records.change([...changes, { put: keys.checkpoint(place, checkpoint.id), content }])
    return configOf(place, checkpoint.id)
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const place = placeOf(config, 'put writes')
    const id = config.configurable?.['checkpoint_id'] as string | undefined
    if (id === undefined)
      throw new Error(
        'Failed to put writes. The passed RunnableConfig is missing a required "checkpoint_id" field in its "configurable" property.',
      )
    const replaces = writes.every(([channel]) => Object.hasOwn(WRITES_IDX_MAP, channel))
    const given = await Promise.all(
      writes.map(async ([channel, value], position) => {
        const [type, bytes] = await this.serde.dumpsTyped(value)
        const header: WriteHeader = { type, task: taskId, channel }
        const key = keys.write(place, id, taskId, WRITES_IDX_MAP[channel] ?? position)
        return { key, content: withHeader(header, bytes) }
      }),
    )
    // The last write of a key counts.
    const changes = [...new Map(given.map((write) => [write.key, write])).values()]
    if (replaces) await this.#records.change(changes.map(({ key, content }) => ({ put: key, content })))
    else await this.#add(keys.writes(place, id), changes)
  }

  async deleteThread(threadId: string): Promise<void> {
    for (const prefix of keys.ofThread(threadId)) {
      for (;;) {
        const found = await this.#records.list({ prefix, limit: DELETED_AT_ONCE })
        if (found.length === 0) break
        await this.#records.change(found.map(({ key }) => ({ delete: key })))
      }
    }
  }

  /** Adds what is not there. What is there stays as it is, also if somebody else adds it now. */
  async #add(prefix: string, given: readonly { readonly key: string; readonly content: Uint8Array }[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const there = new Set<string>()
      for await (const { key } of this.#below(prefix, 'ascending')) there.add(key)
      const fresh = given.filter(({ key }) => !there.has(key))
      try {
        await this.#records.change(fresh.map(({ key, content }) => ({ put: key, content, expect: 0 })))
        return
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !MemoryError.is(error, 'records/conflict')) throw error
      }
    }
  }

  async #newest(place: CheckpointPlace): Promise<StoredRecord | undefined> {
    const [found] = await this.#records.list({ prefix: keys.checkpoints(place), order: 'descending', limit: 1 })
    return found === undefined ? undefined : this.#records.get(found.key)
  }

  async *#below(prefix: string, order: 'ascending' | 'descending'): AsyncGenerator<StoredRecord> {
    for (let after: string | undefined; ;) {
      const page = await this.#records.list({ prefix, order, limit: PAGE, ...defined({ after }) })
      yield* page
      after = page.at(-1)?.key
      if (page.length < PAGE) return
    }
  }

  /** The tuple of a stored checkpoint; `undefined` if its metadata does not fit the filter. */
  async #tuple(
    { key, data = new Uint8Array() }: StoredRecord,
    filter: readonly (readonly [string, unknown])[] = [],
  ): Promise<CheckpointTuple | undefined> {
    const { id, ...place } = keys.read(key)
    const { header, bytes } = readHeader<CheckpointHeader>(data)
    const { type, parent, metadataAt } = header
    const metadata = (await this.serde.loadsTyped(type, bytes.subarray(metadataAt))) as CheckpointMetadata
    if (!filter.every(([name, value]) => (metadata as Readonly<Record<string, unknown>>)[name] === value))
      return undefined
    const checkpoint = (await this.serde.loadsTyped(type, bytes.subarray(0, metadataAt))) as Checkpoint
    const [values, pendingWrites] = await Promise.all([
      this.#values(place, checkpoint.channel_versions),
      this.#writes(place, id),
    ])
    checkpoint.channel_values = values
    if (checkpoint.v < VERSION_WITH_SENDS && parent !== undefined) await this.#addSends(checkpoint, place, parent)
    return {
      config: configOf(place, id),
      checkpoint,
      metadata,
      pendingWrites,
      ...(parent === undefined ? {} : { parentConfig: configOf(place, parent) }),
    }
  }

  async #values(place: CheckpointPlace, versions: Versions = {}): Promise<Record<string, unknown>> {
    const found = await Promise.all(
      Object.entries(versions).map(async ([channel, version]) => {
        const record = await this.#records.get(keys.value(place, channel, version))
        if (record === undefined) return []
        const { header, bytes } = readHeader<{ readonly type: string }>(record.data ?? new Uint8Array())
        return [[channel, await this.serde.loadsTyped(header.type, bytes)] as const]
      }),
    )
    return Object.fromEntries(found.flat())
  }

  /** In the order of tasks and of the writes of each. */
  async #writes(place: CheckpointPlace, id: string): Promise<CheckpointPendingWrite[]> {
    const writes: CheckpointPendingWrite[] = []
    for await (const { key } of this.#below(keys.writes(place, id), 'ascending')) {
      const record = await this.#records.get(key)
      if (record === undefined) continue
      const { header, bytes } = readHeader<WriteHeader>(record.data ?? new Uint8Array())
      writes.push([header.task, header.channel, await this.serde.loadsTyped(header.type, bytes)])
    }
    return writes
  }

  /** An older format has what tasks send among the writes of the checkpoint before. */
  async #addSends(checkpoint: Checkpoint, place: CheckpointPlace, parent: string): Promise<void> {
    const writes = await this.#writes(place, parent)
    checkpoint.channel_values[TASKS] = writes.flatMap(([, channel, value]) => (channel === TASKS ? [value] : []))
    const versions = Object.values(checkpoint.channel_versions)
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined)
  }
}

function namespaceOf(config: RunnableConfig): string {
  return (config.configurable?.['checkpoint_ns'] as string | undefined) ?? ''
}

function placeOf(config: RunnableConfig, attempt: string): CheckpointPlace {
  const thread = config.configurable?.['thread_id'] as string | undefined
  if (thread !== undefined) return { thread, namespace: namespaceOf(config) }
  throw new Error(
    `Failed to ${attempt}. The passed RunnableConfig is missing a required "thread_id" field in its "configurable" property.`,
  )
}

function configOf({ thread, namespace }: CheckpointPlace, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const whole = new Uint8Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}
