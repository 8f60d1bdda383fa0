import { normalForm } from '../../domain/normal-form.ts'
import type { Message } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import { isRecalled, withoutRecalled } from '../../domain/recalled.ts'
import type { Material } from './lesson.ts'

/** Where `metadata.daybook` stands, we wrote the message: recalled text, a summary, a hint. */
const OURS = 'daybook'
/** A stand-in of a compaction that somebody appended again. */
const STAND_IN = /^\s{0,8}\[(?:(?:summary|record) of|dropped) \d/
/** What people and agents say is shorter. Beyond it there are documents, of which the beginning is enough. */
const CHARACTERS_MAX = 200_000
/** Nobody is called anything longer. */
const NAME_CHARACTERS_MAX = 200

/**
 * What there is to learn from in a message: what was said in it, without what was recalled into it. Nothing for system
 * messages and for what we wrote ourselves: learning that would be an echo. What was taken out of the window was still said:
 * whether it is learned must not depend on who was faster.
 */
export function learnableText(message: Message): Material | undefined {
  const { id, seq, role, at, name, imported } = message
  // Learned from once, when it is revised at its end.
  if (message.incomplete === 'streaming') return undefined
  if (role === 'system' || isRecalled(message) || message.metadata?.[OURS] !== undefined) return undefined
  const texts = message.parts
    .flatMap((part) => textsOf(part, role === 'tool'))
    .filter((text) => !STAND_IN.test(text))
    .map((text) => withoutRecalled(text.slice(0, CHARACTERS_MAX)))
    .filter((text) => text.trim() !== '')
  if (texts.length === 0) return undefined
  return {
    id,
    seq,
    role,
    at,
    ...(imported === true && { imported }),
    ...(role === 'user' && isName(name) ? { name } : {}),
    texts,
  }
}

/** Names come from whoever appends: a blank or endless one names nobody. */
function isName(name: string | undefined): name is string {
  return name !== undefined && name.length <= NAME_CHARACTERS_MAX && normalForm(name) !== ''
}

function textsOf(part: Part, fromTool: boolean): readonly string[] {
  if (part.type === 'text') return [part.text]
  if (!fromTool || part.type !== 'tool-result') return []
  const { output } = part
  if (output.type === 'text') return [output.text]
  return output.type === 'parts' ? output.parts.flatMap((inner) => (inner.type === 'text' ? inner.text : [])) : []
}
