import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { ForgetReceipt } from '../../src/types.ts'
import type { Memory, NewMessage } from '../../src/index.ts'
import { openMemory } from '../../src/index.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import { times } from '../tier.ts'
import { Folder } from './harness/folder.ts'
import { figures } from './harness/figures.ts'
import type { Random } from './harness/random.ts'
import { seeded } from './harness/seeded.ts'
import { summaries } from './harness/summaries.ts'

const timeout = times({ daily: 3, nightly: 20 }) * 60_000
const MESSAGES_PER_SESSION = 50

/** A word that stands nowhere else. */
function canaryOf(random: Random): string {
  return `q${Array.from({ length: 15 }, () => 'abcdefghijklmnopqrstuvwxyz'[random.below(26)]).join('')}`
}

/** Vectors that follow from the text, so that a test knows them. */
function embed(text: string): readonly number[] {
  let state = [...text].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619), 2_166_136_261)
  return Array.from({ length: 32 }, () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e_37_79_b9
    return ((state >>> 8) % 20_001) / 10_000 - 1
  })
}

const embedder = {
  name: 'known',
  dimensions: 32,
  embed: async ({ texts }: { readonly texts: readonly string[] }) => ({ vectors: texts.map(embed) }),
}

/** Every layer in which a message leaves something: text, name, tags, metadata, calls, results, ids, files. */
function messagesWith(canary: string, number: number): readonly NewMessage[] {
  const text = `My name is ${capital(canary)} and I live in ${capital(canary)}ville. The code of the day is ${canary}.`
  switch (number % 5) {
    case 0:
      return [{ role: 'user', content: text, name: canary, id: `id-${canary}` }]
    case 1:
      return [
        { role: 'user', content: `${canary.toUpperCase()} again`, tags: [`tag-${canary}`], metadata: { note: canary } },
      ]
    case 2:
      return [
        {
          role: 'user',
          parts: [
            { type: 'text', text: canary },
            { type: 'file', source: Buffer.from(`bytes of ${canary}`), mediaType: 'text/plain', name: `${canary}.txt` },
          ],
        },
      ]
    case 3:
      return [
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: `call-${canary}`, name: 'look', arguments: JSON.stringify({ for: canary }) }],
        },
        { role: 'tool', toolCallId: `call-${canary}`, content: `found ${canary} "quoted" \n and \u0000 more` },
      ]
    default:
      return [
        {
          role: 'assistant',
          content: `I note ${canary} for you, it is in /tmp/${canary}/file.txt and error E_${canary}`,
        },
      ]
  }
}

function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

async function plant(memory: Memory, scope: string, session: string, canaries: readonly string[]): Promise<void> {
  const chat = memory.scope(scope).session(session, { description: `About ${canaries[0]}` })
  for (const [index, canary] of canaries.entries()) {
    const stored = await chat.append(messagesWith(canary, index), { operationId: `operation-${canary}` })
    if (index % 10 === 0) await chat.revise(stored[0]?.id ?? '', { content: `Revised: ${canary} is not ${canary}x` })
    if (index % 20 === 19) await chat.compact({ force: true, policy: summaries })
  }
  await memory.scope(scope).remember({
    subject: capital(canaries[0] ?? ''),
    predicate: 'owns',
    object: { entity: `${capital(canaries[0] ?? '')} boat` },
    sources: [{ message: `id-${canaries[0]}`, session }],
  })
}

it('[forget-3] [forget-4] leaves no canary in any byte of the files, and the rest is intact', { timeout }, async () => {
  const random = seeded()
  using folder = new Folder()
  const file = folder.file('canaries.db')
  const sessions = times({ daily: 8, nightly: 200 })
  await using memory = await openMemory(file, { embedder })
  const doomed = new Map<string, readonly string[]>()
  for (let number = 0; number < sessions; number++) {
    const canaries = Array.from({ length: MESSAGES_PER_SESSION }, () => canaryOf(random))
    doomed.set(`session about ${canaries[0]}`, canaries)
  }
  const kept = Array.from({ length: 3 * MESSAGES_PER_SESSION }, () => canaryOf(random))
  for (const [session, canaries] of doomed) await plant(memory, 'acme/ada', session, canaries)
  for (let number = 0; number < 3; number++)
    await plant(
      memory,
      'acme/ada',
      `kept-${number}`,
      kept.slice(number * MESSAGES_PER_SESSION, (number + 1) * MESSAGES_PER_SESSION),
    )
  const ada = memory.scope('acme/ada')
  await ada.recall('what is the code of the day?')
  await memory.settled()
  const { store } = LocalMemory.partsOf(memory)
  const first = [...doomed.values()][0]?.[0] ?? ''
  await store.access.keepAnswer(
    { name: 'a', request: 'b', status: 200, body: JSON.stringify({ text: first }), at: Date.now() },
    0,
  )
  const before = await ada.session('kept-0').history()
  const facts = await factsWith(memory, kept)
  const samples = [...doomed.values()].flat()
  const planted = await memory.verifyForgotten(fake, samples)
  expect(new Set(planted.found.map(({ sample }) => sample)).size).toBeGreaterThan(5)

  const started = performance.now()
  const receipts: ForgetReceipt[] = []
  const [alone = '', ...rest] = doomed.keys()
  receipts.push(await ada.forget({ session: alone }))
  // Together they share what is done to the pages of the file.
  receipts.push(...(await Promise.all(rest.map((session) => ada.forget({ session })))))
  const seconds = (performance.now() - started) / 1_000

  const vectors = samples.slice(0, 500).map((canary) => embed(canary))
  const report = await memory.verifyForgotten(receipts.at(-1) as ForgetReceipt, [...samples, ...vectors])
  figures('forget', {
    canaries: samples.length,
    messages: total(receipts, 'messages'),
    facts: total(receipts, 'facts'),
    passages: total(receipts, 'passages'),
    vectors: total(receipts, 'vectors'),
    blobs: total(receipts, 'blobs'),
    found: report.found.length,
    seconds,
  })
  expect(report.found.slice(0, 10)).toEqual([])
  expect(report.ok).toBe(true)
  expect(total(receipts, 'vectors')).toBeGreaterThan(0)
  expect(total(receipts, 'blobs')).toBe(samples.length / 5)
  expect(await ada.session('kept-0').history()).toEqual(before)
  expect(facts.length).toBeGreaterThan(0)
  expect(await factsWith(memory, kept)).toEqual(facts)
  expect(await ada.facts({ limit: 1_000 })).toHaveLength(facts.length)
  expect(await memory.verify()).toMatchObject({ ok: true, sessions: 3 })
})

it.each([{ message: 'one' }, { everything: true }] as const)(
  '[forget-3] says so when a reader keeps old pages, and a job overwrites them when it is gone: %j',
  { timeout },
  async (target) => {
    using folder = new Folder()
    const file = folder.file('reader.db')
    await using memory = await openMemory(file, { learn: false })
    const ada = memory.scope('acme/ada')
    await ada.session('chat').append({ role: 'user', content: 'Persephone was here', id: 'one' })
    const reader = new Database(file)
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM messages').get()
    const receipt = await ada.forget(target)
    expect(receipt.pending).toEqual(['pages'])
    expect(await memory.verifyForgotten(receipt, ['Persephone'])).toMatchObject({ ok: false, pending: true })
    reader.close()
    await memory.settled()
    for (const { id, state } of await memory.jobs.list({ kind: 'forget' }))
      if (state === 'waiting') await memory.jobs.retry(id)
    await memory.settled()
    expect(await memory.verifyForgotten(receipt, ['Persephone'])).toMatchObject({ ok: true, pending: false })
  },
)

/** Ids of the facts that speak of some words. */
async function factsWith(memory: Memory, words: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after: string | undefined; ;) {
    const page = await memory.scope('acme/ada').facts({ limit: 1_000, ...(after === undefined ? {} : { after }) })
    ids.push(
      ...page
        .filter((fact) => words.some((word) => JSON.stringify(fact).toLowerCase().includes(word)))
        .map(({ id }) => id),
    )
    after = page.at(-1)?.id
    if (after === undefined) return ids
  }
}

const fake = { id: 'none' } as ForgetReceipt

function total(
  receipts: readonly ForgetReceipt[],
  kind: 'messages' | 'facts' | 'passages' | 'vectors' | 'blobs',
): number {
  return receipts.reduce((sum, receipt) => sum + receipt[kind], 0)
}
