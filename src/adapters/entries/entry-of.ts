import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'

/** The entry of a host that a message was made from; `undefined` if it was not, or is a further message of the same entry. */
export function entryOf(host: string, { provider }: Draft): JSONObject | undefined {
  return provider?.[`wire:${host}`]?.['entry'] as JSONObject | undefined
}
