import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { texts } from '../contract/subject.ts'
import { times } from '../tier.ts'
import { adversarialJSON, adversarialString } from './strings.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-round-trip-'))
afterAll(() => rmSync(directory, { recursive: true }))

const message: fc.Arbitrary<NewMessage> = fc.record({
  role: fc.constant('assistant' as const),
  name: adversarialString,
  tags: fc.array(adversarialString, { maxLength: 2 }),
  metadata: adversarialJSON as fc.Arbitrary<NonNullable<NewMessage['metadata']>>,
  parts: fc.tuple(
    adversarialString.map((text) => ({ type: 'text' as const, text })),
    fc
      .tuple(adversarialString, adversarialString, adversarialString)
      .map(([id, name, args]) => ({ type: 'tool-call' as const, id, name, arguments: args })),
    adversarialJSON.map((data) => ({
      type: 'data' as const,
      kind: 'structured',
      data: data as NonNullable<NewMessage['metadata']>,
    })),
  ),
})

/** Each generated message carries about ten adversarial strings: text, name, tags, call id, arguments, keys and values. */
const STRINGS_PER_MESSAGE = 10

/** A million strings at once are more than a process can hold: round after round, each with its own. */
const rounds = Array.from({ length: times({ daily: 1, nightly: 50 }) }, (_, round) => round)
const STRINGS_PER_ROUND = 20_000

it.each(rounds)(
  '[show-2] [msg-1] gives back exactly what was appended, for 20,000 adversarial strings, also after reopening (%i)',
  async (round) => {
    const file = join(directory, `strings-${round}.db`)
    const messages = fc.sample(message, {
      numRuns: STRINGS_PER_ROUND / STRINGS_PER_MESSAGE,
      seed: Number(process.env['DAYBOOK_SEED'] ?? 20_261_115) + round,
    })
    const wanted = messages.map((one) => JSON.stringify([one.name, one.tags, one.metadata, one.parts]))
    const memory = await openMemory(file)
    const chat = memory.scope('a').session('s')
    const returned: string[] = []
    for (let start = 0; start < messages.length; start += 500) {
      for (const one of await chat.append(messages.slice(start, start + 500)))
        returned.push(JSON.stringify([one.name, one.tags ?? [], one.metadata, one.parts]))
    }
    expect(returned).toEqual(wanted)
    await memory.close()
    await using reopened = await openMemory(file)
    let index = 0
    for (let after = 0; ;) {
      const page = await reopened.scope('a').session('s').history({ after, limit: 500 })
      if (page.length === 0) break
      for (const one of page)
        expect(JSON.stringify([one.name, one.tags ?? [], one.metadata, one.parts])).toBe(wanted[index++])
      after = page.at(-1)?.seq ?? 0
    }
    expect(index).toBe(messages.length)
    expect((await reopened.verify()).ok).toBe(true)
    expect(Object.keys(Object.prototype)).toEqual([])
  },
)

it('[show-2] gives back 5 MB of every kind of character', async () => {
  await using memory = await openMemory(join(directory, 'large.db'))
  const chat = memory.scope('a').session('s')
  const sha = (text: string): string => createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('hex')
  for (const piece of ['a', '\0', '\ud800', '🦄', '漢', '"\\\n', 'שלום\u202e']) {
    const text = piece.repeat(Math.floor(5_000_000 / Math.max(1, Buffer.byteLength(JSON.stringify(piece)) - 2)))
    const [stored] = await chat.append({ role: 'user', content: text })
    const [read] = await chat.recent(1)
    for (const found of [stored, read]) expect(sha(texts(found === undefined ? [] : [found])[0] ?? '')).toBe(sha(text))
  }
})
