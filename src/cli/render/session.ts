import type { Fold } from '../../domain/fold.ts'
import type { Message, Role } from '../../domain/message.ts'
import type { Look, Style } from '../look.ts'
import { terminalLine } from '../visible.ts'
import { counted, number, ranges, time, wrap } from './layout.ts'
import { renderPart } from './part.ts'

/** What a screen can hold of one part; `--full` shows all of it. */
const LINES_PER_PART_MAX = 20

const styles: Readonly<Record<Role, Style>> = { system: 'magenta', user: 'green', assistant: 'blue', tool: 'yellow' }

export interface EntriesLook extends Look {
  /** Nothing is shortened. */
  readonly full: boolean
}

/** A conversation as a person wants to read it: who said what, calls and results, folds in place of messages. */
export function renderEntries(entries: readonly (Message | Fold)[], look: EntriesLook): string {
  return entries
    .map((entry) => ('sources' in entry ? foldLines(entry, look) : messageLines(entry, look)).join('\n'))
    .join('\n\n')
}

export function messageHead(message: Message, look: Look): string {
  const who = message.name === undefined ? message.role : `${message.role} ${terminalLine(message.name)}`
  const notes = [
    time(message.at),
    counted(message.tokens, 'token'),
    ...(message.revision > 0 ? [`revision ${message.revision}`] : []),
    ...(message.tags ?? []).map((tag) => `#${terminalLine(tag)}`),
    ...(message.incomplete === undefined ? [] : ['incomplete']),
    ...(message.removed === true ? ['removed from the window'] : []),
  ]
  return `${look.paint('bold', `[${message.seq}]`)} ${look.paint(styles[message.role], who)} ${look.paint('dim', notes.join(' · '))}`
}

function messageLines(message: Message, look: EntriesLook): readonly string[] {
  return [messageHead(message, look), ...message.parts.flatMap((part) => indented(renderPart(part, look), look, '  '))]
}

export function foldHead(
  fold: Pick<Fold, 'id' | 'kind' | 'sources' | 'messages' | 'tokens' | 'by'>,
  look: Look,
): string {
  const notes = [
    counted(fold.messages, 'message'),
    counted(fold.tokens, 'token'),
    `by ${fold.by}`,
    terminalLine(fold.id),
  ]
  return `${look.paint('bold', ranges(fold.sources))} ${look.paint('cyan', `folded: ${fold.kind}`)} ${look.paint('dim', notes.join(' · '))}`
}

function foldLines(fold: Fold, look: EntriesLook): readonly string[] {
  const parts = fold.standIn.flatMap((draft) => draft.parts)
  return [foldHead(fold, look), ...parts.flatMap((part) => indented(renderPart(part, look), look, '  ┆ '))]
}

function indented(text: string, { width, full, paint }: EntriesLook, indent: string): readonly string[] {
  const lines = wrap(text, width === undefined ? undefined : width - indent.length)
  const shown = full || lines.length <= LINES_PER_PART_MAX ? lines : lines.slice(0, LINES_PER_PART_MAX - 1)
  const hidden = lines.length - shown.length
  const more = hidden === 0 ? [] : [paint('dim', `… ${number(hidden)} more lines, --full shows them`)]
  return [...shown, ...more].map((line) => `${indent}${line}`.trimEnd())
}
