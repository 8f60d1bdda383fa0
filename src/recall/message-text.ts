import type { Draft } from '../domain/message.ts'
import type { Part } from '../domain/part.ts'
import { partText } from '../domain/part-text.ts'
import { MEMORY_TOOLS, withoutRecalled } from '../domain/recalled.ts'

/** What a message says, and what is only beside it: the names of images and files. */
export interface RecallText {
  readonly text: string
  readonly side: string
}

/** The text by which a message is recalled. A model's reasoning was said to nobody and is left out; so is what had been recalled. */
export function recallText(message: Pick<Draft, 'parts'>): RecallText {
  const text = message.parts.map((part) => withoutRecalled(said(part)).trim()).filter((part) => part !== '')
  const side = message.parts.map(beside).filter((part) => part !== '')
  return { text: text.join('\n'), side: side.join('\n') }
}

/** Both together, as it is shown to whoever asked. */
export function shownText({ text, side }: RecallText): string {
  return text === '' ? side : side === '' ? text : `${text}\n[${side}]`
}

function said(part: Part): string {
  if (part.type === 'reasoning' || (part.type === 'tool-call' && MEMORY_TOOLS.includes(part.name))) return ''
  return partText(part, () => '')
}

function beside(part: Part): string {
  if (part.type === 'tool-result' && part.output.type === 'parts') return part.output.parts.map(beside).join(' ').trim()
  return part.type === 'image' || part.type === 'file' ? (part.name ?? '') : ''
}
