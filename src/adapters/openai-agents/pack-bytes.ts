import type { AgentInputItem } from '@openai/agents-core'
import { fromBase64 } from '../../domain/from-base64.ts'
import type { JSONObject } from '../../domain/json.ts'
import { toBase64 } from '../../domain/to-base64.ts'

/** An item as JSON. */
export type Packed = JSONObject

const BYTES = 'daybook:bytes'

/** An item as JSON: bytes, which a tool may return, in base64. Fields without a value are left out. */
export function pack(item: AgentInputItem): Packed {
  return JSON.parse(
    JSON.stringify(item, (_, value: unknown) => (value instanceof Uint8Array ? { [BYTES]: toBase64(value) } : value)),
  ) as Packed
}

export function unpack(packed: Packed): AgentInputItem {
  return JSON.parse(JSON.stringify(packed), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !(BYTES in value)) return value
    return typeof value[BYTES] === 'string' ? fromBase64(value[BYTES]) : value
  }) as AgentInputItem
}
