import type { Draft } from './message.ts'
import type { ProviderFields } from './part.ts'

const HOST = 'wire:host'

/**
 * The id that a message has in the transcript of its host. It is the id of the message, unless that id could not be used: the
 * message was stored before the host gave it one, or an earlier message with this id was removed.
 */
export function hostIdOf(message: Pick<Draft, 'id' | 'provider'>): string | undefined {
  const id = message.provider?.[HOST]?.['id']
  return typeof id === 'string' ? id : message.id
}

/** The same fields with the id that the host uses; without one where it is the id of the message. */
export function withHostId(
  provider: ProviderFields | undefined,
  hostId: string | undefined,
): { readonly provider?: ProviderFields } {
  const { [HOST]: _, ...rest } = provider ?? {}
  if (hostId !== undefined) return { provider: { ...rest, [HOST]: { id: hostId } } }
  return Object.keys(rest).length === 0 ? {} : { provider: rest }
}
