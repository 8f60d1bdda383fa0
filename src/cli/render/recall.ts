import type { ExpectedMessage, RecallItem, RecallLag, Recalled, Why } from '../../api/recall.ts'
import type { Look } from '../look.ts'
import { terminalLine, terminalText } from '../visible.ts'
import { counted, shortened, time, wrap } from './layout.ts'
import { trustWords } from './fact.ts'

const NOTHING =
  'Nothing was found. Recall looks for the words of the question: try others, or let it find by meaning with --embedder.'

/** Of the text of what was left out. */
const LEFT_CHARACTERS_MAX = 80

/** What was found, best first, each with its source and its reasons; with `explain` also what was not. */
export function renderRecalled(
  { items, dropped, expected, behind, hint, unembedded }: Recalled,
  look: Look,
  /** The command that embeds what is not embedded yet, if it can be told. */
  embed?: string,
): string {
  const blocks = items.map((item, index) => itemLines(item, index + 1, look).join('\n'))
  const left = dropped.map(({ kind, source, reason, score, text }) => {
    const words = text === undefined ? '' : `: ${shortened(terminalLine(text), LEFT_CHARACTERS_MAX)}`
    return look.paint('dim', `  ${reason.padEnd(14)} ${score.toFixed(3)}  ${kind} ${place(source)}${words}`)
  })
  return [
    ...(items.length === 0 ? [hint === undefined ? 'Nothing was found.' : NOTHING] : blocks),
    ...(left.length === 0 ? [] : [`Considered and left out:\n${left.join('\n')}`]),
    ...(expected === undefined ? [] : [expectedLines(expected).join('\n')]),
    ...(behind === undefined ? [] : [lagLine(behind)]),
    ...(unembedded === undefined ? [] : [unembeddedLine(unembedded, embed)]),
  ].join('\n\n')
}

function expectedLines(one: ExpectedMessage): readonly string[] {
  const list = (words: readonly string[]): string => (words.length === 0 ? 'none' : words.map(terminalLine).join(', '))
  return [
    `The expected message${one.found ? ' was found.' : ` was not found. ${one.summary}`}`,
    `  words of the question in it: ${list(one.words)}; not in it: ${list(one.missing)}`,
    ...(one.rank === null || one.score === null
      ? []
      : [
          `  rank ${one.rank}, score ${one.score.toFixed(3)}${one.lowestScore === null ? '' : `; the last item shown has ${one.lowestScore.toFixed(3)}`}`,
        ]),
  ]
}

function lagLine({ messages, facts, failure }: RecallLag): string {
  const why = failure === undefined ? '' : `: ${terminalLine(failure)}`
  return `Not searched, because they are not indexed yet: ${messages} messages, ${facts} facts${why}`
}

function unembeddedLine(messages: number, embed: string | undefined): string {
  return `${counted(messages, 'message')} ${messages === 1 ? 'is' : 'are'} not embedded yet${embed === undefined ? '.' : `: ${embed}`}`
}

function itemLines(item: RecallItem, rank: number, look: Look): readonly string[] {
  const head = [
    item.kind,
    ...(item.speaker === undefined ? [] : [terminalLine(item.speaker)]),
    time(item.at),
    `trust: ${trustWords[item.trust] ?? item.trust}`,
    place(item.source),
    ...(item.title === undefined ? [] : [terminalLine(item.title)]),
  ]
  const rankAndScore = `${rank}. ${item.score.toFixed(3)}`
  // Wrapped before it is painted: the codes of colours have no width.
  const [first = '', ...more] = wrap(`${rankAndScore} ${head.join(' · ')}`, look.width)
  return [
    `${look.paint('bold', rankAndScore)}${look.paint('dim', first.slice(rankAndScore.length))}`,
    ...more.map((line) => look.paint('dim', `   ${line}`)),
    ...(item.before === undefined ? [] : [look.paint('dim', `   … ${terminalLine(item.before)}`)]),
    ...wrap(terminalText(item.text), look.width === undefined ? undefined : look.width - 3).map((line) => `   ${line}`),
    ...(item.after === undefined ? [] : [look.paint('dim', `   … ${terminalLine(item.after)}`)]),
    ...wrap(reasons(item.why), look.width === undefined ? undefined : look.width - 3).map((line) =>
      look.paint('dim', `   ${line}`),
    ),
  ]
}

function place({ session, seq, id }: RecallItem['source']): string {
  return session === null ? terminalLine(id) : `${terminalLine(session)} [${seq ?? '?'}]`
}

/** What a question asks for, in words. */
const ASKED: Readonly<Record<string, string>> = {
  duration: 'a duration',
  count: 'a number',
  where: 'a place',
  who: 'a person',
  why: 'a reason',
  title: 'a title',
}

function reasons(why: Why): string {
  const said = [
    why.words.length === 0 ? '' : `words: ${why.words.map(({ word }) => terminalLine(word)).join(', ')}`,
    why.nearby.length === 0 ? '' : `next to a message with: ${why.nearby.map(terminalLine).join(', ')}`,
    why.date === undefined ? '' : `date: ${terminalLine(why.date)}`,
    why.speaker === undefined ? '' : `said by ${terminalLine(why.speaker)}`,
    why.asked === undefined ? '' : `has ${ASKED[why.asked] ?? terminalLine(why.asked)}`,
    why.answers === true ? 'replies to the question' : '',
    why.vector === undefined ? '' : `meaning ${why.vector.toFixed(2)}`,
    why.edge === undefined ? '' : `through the fact ${terminalLine(why.edge)}`,
  ].filter((reason) => reason !== '')
  return `because: ${said.length === 0 ? 'of its position' : said.join(' · ')}`
}
