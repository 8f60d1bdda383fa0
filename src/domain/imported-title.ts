import type { Message } from './message.ts'

/** The title of the conversation that a message was imported from. */
export function importedTitle({ metadata }: Pick<Message, 'metadata'>): string | undefined {
  const origin = metadata?.['origin']
  if (typeof origin !== 'object' || origin === null || Array.isArray(origin)) return undefined
  const { title } = origin as { readonly title?: unknown }
  return typeof title === 'string' ? title : undefined
}
