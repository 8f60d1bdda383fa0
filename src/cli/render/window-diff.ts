import { defined } from '../../domain/defined.ts'
import type { Fold } from '../../domain/fold.ts'
import type { Message } from '../../domain/message.ts'
import type { Look } from '../look.ts'
import { terminalLine } from '../visible.ts'
import { counted, shortened } from './layout.ts'
import { foldHead, messageHead } from './session.ts'

type Entry = Message | Fold

export interface WindowChange {
  readonly change: 'added' | 'gone' | 'kept'
  readonly entry: Entry
  /** The fold of the later window that stands for it now. */
  readonly foldedInto?: string
}

export interface WindowDiff {
  readonly before: { readonly entries: number; readonly tokens: number }
  readonly after: { readonly entries: number; readonly tokens: number }
  /** In the order of the log; what is gone comes before what took its place. */
  readonly changes: readonly WindowChange[]
}

/** What is in one window and not in the other. A revised message is gone in its old form and added in its new one. */
export function windowDiff(before: readonly Entry[], after: readonly Entry[]): WindowDiff {
  const [was, is] = [new Set(before.map(nameOf)), new Set(after.map(nameOf))]
  const folds = after.filter((entry): entry is Fold => 'sources' in entry)
  const gone = before
    .filter((entry) => !is.has(nameOf(entry)))
    .map((entry): WindowChange => {
      const fold = folds.find((one) => hides(one, entry))
      return { change: 'gone', entry, ...defined({ foldedInto: fold?.id }) }
    })
  const now = after.map((entry): WindowChange => ({ change: was.has(nameOf(entry)) ? 'kept' : 'added', entry }))
  return {
    before: sizeOf(before),
    after: sizeOf(after),
    changes: [...gone, ...now].toSorted((a, b) => placeOf(a.entry) - placeOf(b.entry) || order(a) - order(b)),
  }
}

const order = ({ change }: WindowChange): number => (change === 'gone' ? 0 : 1)

function nameOf(entry: Entry): string {
  return 'sources' in entry ? `fold ${entry.id}` : `message ${entry.seq} ${entry.id} ${entry.revision}`
}

function placeOf(entry: Entry): number {
  return 'sources' in entry ? (entry.sources[0]?.from ?? 0) : entry.seq
}

function hides(fold: Fold, entry: Entry): boolean {
  const first = placeOf(entry)
  return fold.sources.some(({ from, through }) => from <= first && first <= through)
}

function sizeOf(entries: readonly Entry[]): WindowDiff['before'] {
  return { entries: entries.length, tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0) }
}

export function renderWindowDiff({ before, after, changes }: WindowDiff, look: Look): string {
  const size = ({ entries, tokens }: WindowDiff['before']): string =>
    `${counted(entries, 'entry').replace(/entrys$/, 'entries')}, ${counted(tokens, 'token')}`
  const kept = changes.filter(({ change }) => change === 'kept').length
  const lines = changes.flatMap((change) => (change.change === 'kept' ? [] : changeLines(change, look)))
  return [
    look.paint('dim', `--- ${size(before)}`),
    look.paint('dim', `+++ ${size(after)}, ${kept} of them as before`),
    ...(lines.length === 0 ? ['Nothing changed.'] : lines),
  ].join('\n')
}

function changeLines({ change, entry, foldedInto }: WindowChange, look: Look): readonly string[] {
  const mark = change === 'gone' ? '-' : '+'
  const style = change === 'gone' ? 'red' : 'green'
  const fate = change === 'gone' && foldedInto !== undefined ? look.paint('dim', ` → ${terminalLine(foldedInto)}`) : ''
  const head = 'sources' in entry ? foldHead(entry, look) : messageHead(entry, look)
  const text = shortened(excerpt(entry), Math.max(40, (look.width ?? 100) - 6))
  return [`${look.paint(style, mark)} ${head}${fate}`, ...(text === '' ? [] : [`${look.paint(style, mark)}   ${text}`])]
}

function excerpt(entry: Entry): string {
  const parts = 'sources' in entry ? entry.standIn.flatMap((draft) => draft.parts) : entry.parts
  return terminalLine(
    parts
      .map((part) =>
        part.type === 'text'
          ? part.text
          : part.type === 'tool-call'
            ? `→ ${part.name}`
            : part.type === 'tool-result'
              ? `← ${part.name ?? 'result'}`
              : `(${part.type})`,
      )
      .join(' '),
  )
}
