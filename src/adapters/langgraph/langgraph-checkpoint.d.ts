/**
 * What the saver needs of `@langchain/langgraph-checkpoint`, which is not installed here. Whoever imports the adapter has the real
 * types, and a test compiles against them.
 */
declare module '@langchain/langgraph-checkpoint' {
  interface RunnableConfig {
    configurable?: Record<string, unknown>
  }
  export interface Checkpoint {
    v: number
    id: string
    ts: string
    channel_values: Record<string, unknown>
    channel_versions: Record<string, number | string>
    versions_seen: Record<string, Record<string, number | string>>
  }
  export type CheckpointMetadata = {
    source: 'input' | 'loop' | 'update' | 'fork'
    step: number
    parents: Record<string, string>
  }
  export type PendingWrite = [string, unknown]
  export type CheckpointPendingWrite = [string, string, unknown]
  export interface CheckpointTuple {
    config: RunnableConfig
    checkpoint: Checkpoint
    metadata?: CheckpointMetadata
    parentConfig?: RunnableConfig
    pendingWrites?: CheckpointPendingWrite[]
  }
  export interface CheckpointListOptions {
    limit?: number
    before?: RunnableConfig
    filter?: Record<string, unknown>
  }
  export interface SerializerProtocol {
    dumpsTyped(data: unknown): Promise<[string, Uint8Array]>
    loadsTyped(type: string, data: Uint8Array | string): Promise<unknown>
  }
  export abstract class BaseCheckpointSaver {
    serde: SerializerProtocol
    constructor(serde?: SerializerProtocol)
    getNextVersion(current: number | undefined): number
    abstract getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>
    abstract list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple>
    abstract put(
      config: RunnableConfig,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
      newVersions: Record<string, number | string>,
    ): Promise<RunnableConfig>
    abstract putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void>
    abstract deleteThread(threadId: string): Promise<void>
  }
  export const WRITES_IDX_MAP: Record<string, number>
  export const TASKS: '__pregel_tasks'
  export function getCheckpointId(config: RunnableConfig): string
  export function maxChannelVersion(...versions: (number | string)[]): number | string
  export interface Item {
    value: Record<string, unknown>
    key: string
    namespace: string[]
    createdAt: Date
    updatedAt: Date
  }
  export interface SearchItem extends Item {
    score?: number
  }
  export interface GetOperation {
    namespace: string[]
    key: string
  }
  export interface SearchOperation {
    namespacePrefix: string[]
    filter?: Record<string, unknown>
    limit?: number
    offset?: number
    query?: string
  }
  export interface PutOperation {
    namespace: string[]
    key: string
    value: Record<string, unknown> | null
    index?: false | string[]
  }
  export interface ListNamespacesOperation {
    matchConditions?: { matchType: 'prefix' | 'suffix'; path: string[] }[]
    maxDepth?: number
    limit: number
    offset: number
  }
  export type Operation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation
  export type OperationResults<Operations extends readonly Operation[]> = {
    [Index in keyof Operations]: Operations[Index] extends PutOperation
      ? void
      : Operations[Index] extends SearchOperation
        ? SearchItem[]
        : Operations[Index] extends GetOperation
          ? Item | null
          : Operations[Index] extends ListNamespacesOperation
            ? string[][]
            : never
  }
  export abstract class BaseStore {
    abstract batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>
  }
}
