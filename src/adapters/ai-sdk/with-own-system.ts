import { systemText } from './system-text.ts'

interface Said {
  readonly role: string
  readonly content: unknown
}

/**
 * A prompt with the instructions as the host gave them, in place of their text: they may have options for the provider, such as marks
 * for its cache.
 */
export function withOwnSystem<Message extends Said>(prompt: readonly Message[], system: readonly Message[]): Message[] {
  const text = systemText(system)
  const at = prompt.findIndex(
    ({ role, content }) => role === 'system' && typeof content === 'string' && content.startsWith(text),
  )
  const found = prompt[at]
  if (found === undefined || text === '') return [...prompt]
  const rest = String(found.content).slice(text.length).trim()
  return prompt.toSpliced(at, 1, ...system, ...(rest === '' ? [] : [{ ...found, content: rest }]))
}
