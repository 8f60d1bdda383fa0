import type { Memory } from '../../api/memory.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Key } from '../../domain/key.ts'

/** A request of a Mem0 client. */
export interface Mem0Call {
  readonly memory: Memory
  readonly key: Key
  /** The scope above those of its users, agents, apps and runs. */
  readonly base: string
  readonly names: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: JSONObject
}
