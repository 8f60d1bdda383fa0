import type { Identifier } from '../../domain/fold.ts'
import type { ExtractedLine } from './candidates.ts'
import { dataLine } from './marker.ts'
import { namesLine } from './names-line.ts'
import { quotedBlock } from './quoted-block.ts'

export interface FoldTextOptions {
  readonly heading: string
  readonly lines: readonly ExtractedLine[]
  /** Text that is beside this one, so that names in it need not be repeated. */
  readonly beside?: string
  /** Names to keep visible, and how many characters they may take: the vital ones, and the others. */
  readonly identifiers?: readonly Identifier[]
  readonly vitalMax?: number
  readonly othersMax?: number
}

/**
 * The text of a summary or record: its heading, what the user and the assistant said, the names that have to stay visible,
 * and last, as a block of quoted data, what tools, documents and the web said and the names that nobody else mentioned.
 */
export function foldText({
  heading,
  lines,
  beside = '',
  identifiers = [],
  vitalMax = 0,
  othersMax = 0,
}: FoldTextOptions): string {
  const plain = lines.filter(({ quoted }) => !quoted).map(lineText)
  const quoted = lines.filter((line) => line.quoted).map(lineText)
  const shown = dataLine([beside, heading, ...plain, ...quoted].join('\n'))
  const [own, foreign] = byTrust(identifiers)
  const kept = namesLine('Kept:', shown, own, { charactersMax: vitalMax, othersMax })
  const room = { charactersMax: vitalMax - kept.length, othersMax: Math.max(0, othersMax - kept.length) }
  const named = namesLine('Named only here:', `${shown} ${kept}`, foreign, room)
  const block = quotedBlock([...quoted, ...(named === '' ? [] : [named])])
  return [heading, ...plain, ...(kept === '' ? [] : [kept]), ...(block === '' ? [] : [block])].join('\n')
}

export function lineText({ label, text }: Pick<ExtractedLine, 'label' | 'text'>): string {
  return `${label}: ${text}`
}

/** Names that somebody with a voice of his own mentioned, and those that only tools, documents or the web did. */
export function byTrust(
  identifiers: readonly Identifier[],
): readonly [own: readonly Identifier[], foreign: readonly Identifier[]] {
  return [identifiers.filter(({ trust }) => trust > 0), identifiers.filter(({ trust }) => !(trust > 0))]
}
