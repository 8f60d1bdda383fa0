import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Scope } from '../src/api/scope.ts'
import { type Figure, median } from './measure.ts'

const SIZES = [1_000, 10_000, 100_000]
const QUESTIONS = 200
/** What the first questions cost, compiling, is not what the next ones cost. */
const WARM_UP = 30
const MESSAGES_PER_SESSION = 500
const APPENDS_AT_ONCE = 4
const WORDS_KNOWN = 20_000

/** [know-6] Recall through the public API over growing scopes, beside FTS5 alone over the same texts, question by question. */
export async function recallBenchmark(directory: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  const medians: number[] = []
  for (const size of SIZES) {
    const texts = [...sentences(size)]
    const memory = await openMemory(join(directory, `recall-${size}.db`))
    const scope = memory.scope('bench/ada')
    await fill(scope, texts)
    const start = performance.now()
    await scope.recall('anything at all', { fresh: true })
    const rate = (size * 1_000) / (performance.now() - start)
    const plain = fullText(join(directory, `fts-${size}.db`), texts)
    const times = { daybook: [] as number[], plain: [] as number[] }
    for (let index = 0; index < WARM_UP; index++) await scope.recall(question(QUESTIONS + index, size))
    for (let index = 0; index < QUESTIONS; index++) {
      const asked = question(index, size)
      times.daybook.push(await timed(() => scope.recall(asked)))
      times.plain.push(await timed(() => plain.search(asked)))
    }
    plain.close()
    await memory.close()
    const p50 = median(times.daybook)
    medians.push(p50)
    figures.push(
      {
        requirement: '[know-6]',
        what: `recall over ${size} messages, p95`,
        value: percentile(times.daybook, 0.95),
        unit: ' ms',
        goal: { atMost: size === 1_000 ? 10 : 60 },
        note: `p50 ${p50.toFixed(1)}, p99 ${percentile(times.daybook, 0.99).toFixed(1)} ms; FTS5 alone p50 ${median(times.plain).toFixed(1)}, p99 ${percentile(times.plain, 0.99).toFixed(1)} ms`,
      },
      {
        requirement: '[know-6]',
        what: `messages posted from the log, of ${size}`,
        value: rate,
        unit: '/s',
        goal: { atLeast: 2_000 },
        note: `durable, in batches; FTS5 alone, all in one transaction, ${plain.rate.toFixed(0)}/s`,
      },
    )
  }
  figures.push({
    requirement: '[know-6]',
    what: 'growth of p50 from 1,000 to 100,000 messages',
    value: (medians.at(-1) ?? Number.NaN) / (medians[0] ?? Number.NaN),
    unit: '×',
    goal: { atMost: 10 },
    note: medians.map((ms) => `${ms.toFixed(1)} ms`).join(', '),
  })
  return figures
}

/** Sessions of 500 messages, each in one append, a few at a time: what arrives together is committed together. */
export async function fill(scope: Scope, texts: Iterable<string>): Promise<void> {
  let waiting: Promise<unknown>[] = []
  let [some, sessions]: [string[], number] = [[], 0]
  const append = async (): Promise<void> => {
    const messages = some.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }) as const)
    some = []
    waiting.push(scope.session(`s${sessions++}`).append(messages))
    if (waiting.length < APPENDS_AT_ONCE) return
    const all = waiting
    waiting = []
    await Promise.all(all)
  }
  for (const text of texts) {
    some.push(text)
    if (some.length === MESSAGES_PER_SESSION) await append()
  }
  if (some.length > 0) await append()
  await Promise.all(waiting)
}

/** As they are wanted: a million of them need not be there at once. */
export function* sentences(count: number): Generator<string> {
  for (let index = 0; index < count; index++) yield sentence(index)
}

function fullText(
  file: string,
  texts: readonly string[],
): { readonly rate: number; readonly search: (question: string) => unknown; readonly close: () => void } {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.exec(`CREATE VIRTUAL TABLE texts USING fts5(text, tokenize = 'porter unicode61')`)
  const insert = database.prepare('INSERT INTO texts (text) VALUES (?)')
  const start = performance.now()
  database.transaction(() => texts.forEach((text) => insert.run(text)))()
  const rate = (texts.length * 1_000) / (performance.now() - start)
  const select = database.prepare('SELECT rowid, text FROM texts WHERE texts MATCH ? ORDER BY bm25(texts) LIMIT 10')
  return {
    rate,
    search: (asked) => select.all((asked.match(/\w+/g) ?? []).map((word) => `"${word}"`).join(' OR ')),
    close: () => database.close(),
  }
}

/** Words as unevenly common as in speech: the n-th word comes about once in n. */
export function sentence(seed: number): string {
  const next = random(seed)
  const length = 6 + Math.floor(next() * 24)
  const words = Array.from({ length }, () => wordOf(Math.floor(WORDS_KNOWN ** next())))
  const spoken = ['I', 'the', 'and', 'to', 'we', 'was', 'it', 'of']
  return `${words.map((one, index) => (index % 2 === 0 ? one : `${spoken[(index + seed) % spoken.length]} ${one}`)).join(' ')}.`
}

export function question(seed: number, size: number): string {
  const words = sentence((seed * 7_919) % size).match(/\w+/g) ?? []
  return `What did we say about ${words.slice(0, 8).join(' ')}?`
}

const SYLLABLES = 'ba ko ri te mu sal den por vi lan gro ti ne cas hul fen'.split(' ')

function wordOf(index: number): string {
  let [text, rest] = ['', index + 16]
  while (rest > 0) {
    text += SYLLABLES[rest % SYLLABLES.length]
    rest = Math.floor(rest / SYLLABLES.length)
  }
  return text
}

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

export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
}
