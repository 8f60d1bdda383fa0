import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import Database from 'better-sqlite3'
import { openMemory } from '../src/memory/open-memory.ts'
import type { Embedder } from '../src/ports/embedder.ts'
import { type Conversation, readLocomo } from './locomo.ts'

const LIMIT = 50
const CATEGORIES = ['', 'multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

/** The ids of turns that a method finds for a question, best first. */
type Method = (question: string) => Promise<readonly string[]> | readonly string[]

interface Result {
  readonly category: number
  readonly evidence: readonly string[]
  readonly found: readonly string[]
}

/**
 * [know-1] [know-2] [know-3] `npm run bench:recall -- <file>`: how much of the evidence is found, beside FTS5 and substring search in
 * the same run. [found-16] With `noise` after the file: also what an embedder costs that returns noise.
 */
async function run(file: string, withNoise: boolean): Promise<void> {
  if (!existsSync(file)) {
    process.stdout.write(
      `No LoCoMo data at ${file}: give its path as an argument or in DAYBOOK_LOCOMO. Nothing was measured.\n`,
    )
    return
  }
  const results = new Map<string, Result[]>()
  let asked = 0
  let spent = 0
  for (const conversation of readLocomo(file)) {
    const memory = await openMemory(':memory:')
    const scope = memory.scope(conversation.id)
    const turnOf = await fill(scope, conversation)
    await scope.recall('warm up', { fresh: true })
    const noisy = withNoise ? await openMemory(':memory:', { learn: false, embedder: noise }) : undefined
    const turnOfNoisy = noisy && (await fill(noisy.scope(conversation.id), conversation))
    await noisy?.settled()
    const methods: Readonly<Record<string, Method>> = {
      'daybook recall': async (question) => {
        const start = performance.now()
        const { items } = await scope.recall(question, { limit: LIMIT })
        spent += performance.now() - start
        asked += 1
        return items.flatMap(({ source, copies = [] }) => [source, ...copies].map(({ id }) => turnOf.get(id) ?? ''))
      },
      ...(noisy && {
        'with an embedder of noise': async (question: string) =>
          (await noisy.scope(conversation.id).recall(question, { limit: LIMIT })).items.map(
            ({ source }) => turnOfNoisy?.get(source.id) ?? '',
          ),
      }),
      'FTS5 porter, OR, bm25': fullText(conversation),
      'substring of the question': (question) =>
        conversation.turns
          .filter(({ text }) => text.toLowerCase().includes(question.toLowerCase()))
          .map(({ id }) => id),
    }
    for (const { question, evidence, category } of conversation.probes) {
      for (const [name, method] of Object.entries(methods)) {
        const found = (await method(question)).slice(0, LIMIT)
        results.set(name, [...(results.get(name) ?? []), { category, evidence, found }])
      }
    }
    await memory.close()
    await noisy?.close()
  }
  for (const [name, all] of results) report(name, all)
  process.stdout.write(`\n${asked} questions, ${(spent / asked).toFixed(2)} ms each through the public API\n`)
}

/** Vectors that have nothing to do with their texts but that they are always the same. */
const noise: Embedder = {
  name: 'noise',
  dimensions: 64,
  embed: async ({ texts }) => ({
    vectors: texts.map((text) => Array.from(createHash('sha512').update(text).digest(), (byte) => byte / 127.5 - 1)),
  }),
}

async function fill(
  scope: ReturnType<Awaited<ReturnType<typeof openMemory>>['scope']>,
  { turns, speakers }: Conversation,
): Promise<ReadonlyMap<string, string>> {
  const turnOf = new Map<string, string>()
  for (const [session, said] of Map.groupBy(turns, (turn) => turn.session)) {
    const stored = await scope.session(session).append(
      said.map(({ speaker, text, caption, at }) => ({
        role: speaker === speakers[0] ? ('user' as const) : ('assistant' as const),
        name: speaker,
        at,
        parts: [
          { type: 'text' as const, text },
          // The picture itself is not there; its caption is what a file name or an alternative text would be.
          ...(caption === undefined
            ? []
            : [
                {
                  type: 'image' as const,
                  name: caption,
                  source: { type: 'url' as const, url: 'https://example.org/shared.jpg' },
                },
              ]),
        ],
      })),
    )
    for (const [index, { id }] of stored.entries()) turnOf.set(id, said[index]?.id ?? '')
  }
  return turnOf
}

/** Plain FTS5 as one would set it up: porter stemmer, all words of the question with OR, best bm25 first. */
function fullText({ turns }: Conversation): Method {
  const database = new Database(':memory:')
  database.exec(`CREATE VIRTUAL TABLE turns USING fts5(text, caption, id UNINDEXED, tokenize = 'porter unicode61')`)
  const insert = database.prepare('INSERT INTO turns (text, caption, id) VALUES (?, ?, ?)')
  for (const { text, caption, id } of turns) insert.run(text, caption ?? '', id)
  const select = database.prepare('SELECT id FROM turns WHERE turns MATCH ? ORDER BY bm25(turns) LIMIT ?').pluck()
  return (question) => {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? []
    return words.length === 0 ? [] : (select.all(words.map((word) => `"${word}"`).join(' OR '), LIMIT) as string[])
  }
}

function report(name: string, results: readonly Result[]): void {
  process.stdout.write(`\n${name}\n`)
  process.stdout.write(`  ${line('all', results)}\n`)
  for (const [category, of] of [...Map.groupBy(results, (result) => result.category)].toSorted(([a], [b]) => a - b))
    process.stdout.write(`  ${line(CATEGORIES[category] ?? String(category), of)}\n`)
}

function line(name: string, results: readonly Result[]): string {
  const recallAt = (k: number): string =>
    percent(
      results.map(
        ({ evidence, found }) => evidence.filter((id) => found.slice(0, k).includes(id)).length / evidence.length,
      ),
    )
  const hit = percent(
    results.map(({ evidence, found }) => (evidence.some((id) => found.slice(0, 10).includes(id)) ? 1 : 0)),
  )
  const ranks = results.map(({ evidence, found }) => 1 / (1 + found.findIndex((id) => evidence.includes(id))))
  const mrr = ranks.reduce((sum, rank) => sum + (Number.isFinite(rank) ? rank : 0), 0) / results.length
  return `${name.padEnd(12)} ${String(results.length).padStart(5)}  R@5 ${recallAt(5)}  R@10 ${recallAt(10)}  R@25 ${recallAt(25)}  R@50 ${recallAt(50)}  hit@10 ${hit}  MRR ${mrr.toFixed(3)}`
}

function percent(shares: readonly number[]): string {
  return ((100 * shares.reduce((sum, share) => sum + share, 0)) / shares.length).toFixed(1).padStart(5)
}

await run(
  process.argv[2] ?? process.env['DAYBOOK_LOCOMO'] ?? '../shared/data/locomo-dev.json',
  process.argv[3] === 'noise',
)
