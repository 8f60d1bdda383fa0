import type { Fold, SeqRange } from '../../domain/fold.ts'

/** The id under which `reopen` gives one message, whole: for what a context shows in part or leaves out. */
export function messagePointer(seq: number): string {
  return `message-${seq}`
}

/** The message that such an id names. */
export function referencedMessage(id: string): number | undefined {
  const [, digits] = /^message-([1-9]\d{0,14})$/.exec(id) ?? []
  return digits === undefined ? undefined : Number(digits)
}

const RANGES_CHARACTERS_MAX = 200

/** The id of a fold that is not stored: it says itself which messages it hides. Of very many stretches, all from the first to the last. */
export function messagesPointer({ sources }: Pick<Fold, 'sources'>): string {
  const written = sources.map(({ from, through }) => `${from}-${through}`).join(',')
  const [first, last] = [sources[0]?.from ?? 0, sources.at(-1)?.through ?? 0]
  return `messages-${written.length <= RANGES_CHARACTERS_MAX ? written : `${first}-${last}`}`
}

/** The messages that `message-12` or `messages-3-7,9-12` names. */
export function referencedRanges(id: string): readonly SeqRange[] | undefined {
  const seq = referencedMessage(id)
  if (seq !== undefined) return [{ from: seq, through: seq }]
  if (!/^messages-[1-9]\d{0,14}-[1-9]\d{0,14}(?:,[1-9]\d{0,14}-[1-9]\d{0,14})*$/.test(id)) return undefined
  return id
    .slice('messages-'.length)
    .split(',')
    .map((range) => {
      const [from = 0, through = 0] = range.split('-').map(Number)
      return { from, through }
    })
}
