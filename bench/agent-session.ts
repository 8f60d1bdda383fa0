import type { NewMessage } from '../src/domain/new-message.ts'

/** Numbers from 0 to 1, the same ones for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface AgentSessionOptions {
  readonly seed: number
  readonly turns: number
  /** Tool rounds of one turn, at the most. */
  readonly roundsMax: number
  /** Characters of a tool result in the first turn and in the last: results grow as the work does. */
  readonly resultCharacters: readonly [first: number, last: number]
  /** A line that somebody says besides: in the request, in the answer, in the middle of a turn's first result. */
  readonly mention?: (speaker: 'user' | 'assistant' | 'tool') => string
}

const SUBJECTS = 'parser cache importer router scheduler ledger tokenizer watcher gateway planner'.split(' ')
const TROUBLES = ['is slow', 'fails on empty input', 'loses the last row', 'leaks memory', 'reports the wrong total']
const WORDS =
  'the request is read from the queue and handed to a worker which checks the schema before it writes the row and answers with what was stored so that nobody has to ask twice when the connection is lost in between'.split(
    ' ',
  )
const TOOLS = ['read_file', 'search', 'run_tests', 'edit_file', 'shell'] as const

/** An agent at work on a code base: a request, some tool rounds, an answer, and again. Every turn is an array of its own. */
export function* agentSession(options: AgentSessionOptions): Generator<readonly NewMessage[]> {
  const { seed, turns, roundsMax, resultCharacters, mention } = options
  const random = seeded(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const below = (limit: number): number => Math.floor(random() * limit)
  let at = Date.UTC(2026, 0, 5, 9)
  const besides = (speaker: 'user' | 'assistant' | 'tool'): string =>
    mention === undefined ? '' : `\n${mention(speaker)}`
  const message = (rest: Omit<NewMessage, 'at'>): NewMessage => ({ ...rest, at: (at += 1_000 + below(20_000)) })
  for (let turn = 0; turn < turns; turn++) {
    const subject = pick(SUBJECTS)
    const file = `src/${subject}/${pick(SUBJECTS)}-${below(90)}.ts`
    const grown = turns < 2 ? 0 : turn / (turns - 1)
    const size = resultCharacters[0] + (resultCharacters[1] - resultCharacters[0]) * grown
    const said: NewMessage[] = [
      message({
        role: 'user',
        content: `The ${subject} ${pick(TROUBLES)} since ${below(60)} commits. Look at ${file}.${besides('user')}`,
      }),
    ]
    for (let round = 0, rounds = 1 + below(roundsMax); round < rounds; round++) {
      const name = pick(TOOLS)
      const id = `call-${turn}-${round}`
      const printed = (): string => output(Math.ceil((size * (0.5 + random())) / 2), pick, below)
      said.push(
        message({
          role: 'assistant',
          content: `${pick(['First', 'Next', 'Now'])} I ${pick(['check', 'look at', 'try'])} the ${pick(SUBJECTS)}.`,
          toolCalls: [{ id, name, arguments: { path: file, line: below(900) } }],
        }),
        message({
          role: 'tool',
          toolCallId: id,
          name,
          content: `${printed()}${round === 0 ? besides('tool') : ''}\n${printed()}`,
        }),
      )
    }
    said.push(
      message({
        role: 'assistant',
        content: `Done: ${file} line ${below(900)} ${prose(30 + below(60), pick)}. ${below(400)} tests pass in ${below(9_000)} ms.${besides('assistant')}`,
      }),
    )
    yield said
  }
}

/** Lines as tools print them. */
function output(
  characters: number,
  pick: <Item>(items: readonly Item[]) => Item,
  below: (limit: number) => number,
): string {
  const lines: string[] = []
  for (let length = 0; length < characters;) {
    const line = `${below(2_000)}: ${prose(4 + below(12), pick)}`
    lines.push(line)
    length += line.length + 1
  }
  return lines.join('\n')
}

function prose(words: number, pick: <Item>(items: readonly Item[]) => Item): string {
  return Array.from({ length: words }, () => pick(WORDS)).join(' ')
}
