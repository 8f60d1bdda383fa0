// Indexes messages and asks about them, in a process of its own: prints what that costs as JSON. Uses nothing but the public API, so
// that an earlier commit can be measured with it too.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from '../../src/memory/open-memory.ts'

interface Task {
  readonly directory: string
  readonly count: number
  readonly characters: number
  readonly sessions: number
  readonly questions: number
}

const { directory, count, characters, sessions, questions } = JSON.parse(process.argv[2] ?? '{}') as Task
const file = join(directory, 'posting.db')
const memory = await openMemory(file, { learn: false })
const scope = memory.scope('bench/ada')

const SYLLABLES = 'ba ko ri te mu sal den por vi lan gro ti ne cas hul fen'.split(' ')
const WORDS_KNOWN = 20_000

/** Mulberry32: the same texts in every run. */
function random(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function wordOf(index: number): string {
  let [text, rest] = ['', index + 16]
  while (rest > 0) {
    text += SYLLABLES[rest % SYLLABLES.length]
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return text
}

/** Words as unevenly common as in speech, every other one a stop word. */
function textOf(seed: number): string {
  const next = random(seed)
  const spoken = ['I', 'the', 'and', 'to', 'we', 'was', 'it', 'of']
  let text = ''
  for (let nth = 0; text.length < characters; nth++)
    text += `${nth % 12 === 11 ? '. ' : ' '}${nth % 2 === 0 ? wordOf(Math.floor(WORDS_KNOWN ** next())) : spoken[nth % 8]}`
  return text.slice(1, characters)
}

const plain = new Database(join(directory, 'fts.db'))
plain.pragma('journal_mode = WAL')
plain.exec(
  `CREATE TABLE texts (text TEXT); CREATE VIRTUAL TABLE found USING fts5(text, content = '', tokenize = 'porter unicode61')`,
)
const insert = [
  plain.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)'),
  plain.prepare('INSERT INTO found (rowid, text) VALUES (?, ?)'),
]
const perSession = Math.ceil(count / sessions)
for (let from = 0; from < count; from += Math.min(perSession, 500)) {
  const texts = Array.from({ length: Math.min(perSession, 500, count - from) }, (_, nth) => textOf(from + nth))
  await scope
    .session(`s${Math.floor(from / perSession)}`)
    .append(
      texts.map((content, nth) => ({ role: nth % 2 === 0 ? ('user' as const) : ('assistant' as const), content })),
    )
  plain.transaction(() =>
    texts.forEach((text, nth) => insert.forEach((statement) => statement.run(from + nth + 1, text))),
  )()
}

let [longestMs, isOn, cpu] = [0, true, process.threadCpuUsage()]
const turn = (): void => {
  const used = process.threadCpuUsage(cpu)
  longestMs = Math.max(longestMs, (used.user + used.system) / 1_000)
  cpu = process.threadCpuUsage()
  if (isOn) setImmediate(turn)
}
const before = process.cpuUsage()
setImmediate(turn)
await memory.settled()
isOn = false
const used = process.cpuUsage(before)

const STOP = new Set('what did we say about i the and to was it of'.split(' '))
const search = plain.prepare(
  `SELECT texts.rowid, texts.text FROM found JOIN texts ON texts.rowid = found.rowid WHERE found MATCH ? ORDER BY bm25(found) LIMIT 10`,
)
const times = { own: [] as number[], plain: [] as number[] }
for (let nth = -20; nth < questions; nth++) {
  const words = textOf(((nth + 20) * 7_919) % count).match(/\w+/g) ?? []
  const asked = words.slice(0, 8)
  const start = performance.now()
  await scope.recall(`What did we say about ${asked.join(' ')}?`)
  const middle = performance.now()
  const terms = asked.filter((word) => !STOP.has(word.toLowerCase()))
  search.all(terms.map((word) => `"${word}"`).join(' OR '))
  if (nth < 0) continue
  times.own.push(middle - start)
  times.plain.push(performance.now() - middle)
}
const rssMb = process.memoryUsage.rss() / 2 ** 20
await memory.close()
plain.close()
const bytes = new Database(file, { readonly: true })
  .prepare(`SELECT SUM(pgsize) AS bytes FROM dbstat WHERE name LIKE '%recall%'`)
  .get() as { readonly bytes: number }
const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN
process.stdout.write(
  `${JSON.stringify({
    perCoreSecond: (count * 1e6) / (used.user + used.system),
    indexShare: bytes.bytes / (count * characters),
    longestMs,
    p50: at(times.own, 0.5),
    p95: at(times.own, 0.95),
    plainP50: at(times.plain, 0.5),
    plainP95: at(times.plain, 0.95),
    rssMb,
  })}\n`,
)
