import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { CompactOutcome } from '../../../src/api/contexts.ts'
import type { Policy } from '../../../src/api/policy.ts'
import type { Fold } from '../../../src/domain/fold.ts'
import type { Message } from '../../../src/domain/message.ts'
import { openMemoryWith } from '../../../src/memory/open-memory-with.ts'
import type { Session } from '../../../src/api/session.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'
import { assistant, call, chatWith, memoryOf, results, system, text, told, user, words } from './chat.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-compaction-'))
afterAll(() => rmSync(directory, { recursive: true }))

const tell: Policy = {
  name: 'tell',
  high: { mark: { ratio: 0.8 } },
  low: { mark: { ratio: 0.4 } },
  steps: [{ stage: 'summarise', unit: 'range', keepRounds: 1, tokensMax: 60 }],
  advance: 'until-low',
}
const dropping: Policy = { ...tell, name: 'dropping', steps: [{ stage: 'drop', keepRounds: 1 }] }

/** A system message and rounds of a question and an answer: 1 + 2n messages, 26 tokens each. */
async function rounds(chat: Session, count: number, from = 0): Promise<void> {
  for (let round = from; round < from + count; round++)
    await chat.append([user(`question ${round} ${text(21)}`), assistant(`answer ${round} ${text(21)}`)])
}

async function long(count = 10): Promise<Session> {
  const chat = await chatWith(system('be kind'))
  await rounds(chat, count)
  return chat
}

function foldsOf(window: readonly (Message | Fold)[]): readonly Fold[] {
  return window.filter((entry): entry is Fold => 'sources' in entry)
}

function seqsOf(window: readonly (Message | Fold)[]): readonly (number | string)[] {
  return window.map((entry) =>
    'seq' in entry ? entry.seq : entry.sources.map(({ from, through }) => `${from}-${through}`).join(),
  )
}

describe('automatic compaction', () => {
  it('[cmp-4] happens above the high mark, down to the low mark, and not again until something changed', async () => {
    const chat = await long(6)
    await chat.context({ budget: 500, policy: tell })
    expect(await chat.compactions()).toEqual([])
    await rounds(chat, 4, 6)
    const context = await chat.context({ budget: 500, policy: tell })
    expect(await chat.compactions()).toMatchObject([{ folds: [expect.any(String)] }])
    expect(context.receipt.lines.some((line) => line.type === 'folded')).toBe(true)
    const { version } = await chat.stats()
    await chat.context({ budget: 500, policy: tell })
    expect((await chat.stats()).version).toBe(version)
  })

  it('[cmp-13] [ctx-8] does not fire twice at one version, in this process or another', async () => {
    const file = join(directory, 'settled.db')
    const chat = (await memoryOf(undefined, file)).scope('acme').session('chat')
    await chat.append(system('be kind'))
    await rounds(chat, 30)
    // One step at a time: after the first it is still above its mark.
    const slow: Policy = {
      ...tell,
      advance: 'first-change',
      steps: [{ stage: 'offload', overCharacters: 60, previewCharacters: 8 }, ...tell.steps],
    }
    const once = await chat.context({ budget: 300, policy: slow })
    const { version } = await chat.stats()
    const other = (await memoryOf(undefined, file)).scope('acme').session('chat')
    for (const reader of [chat, other]) {
      const again = await reader.context({ budget: 300, policy: slow })
      expect(JSON.stringify(again.messages)).toBe(JSON.stringify(once.messages))
    }
    expect((await chat.stats()).version).toBe(version)
    await chat.append(user('go on'))
    await chat.context({ budget: 300, policy: slow })
    expect((await chat.stats()).version).toBe(version + 2)
  })

  it('[cmp-8] is not repeated right after it was undone: who undoes it wants the messages', async () => {
    const chat = await long(10)
    await chat.context({ budget: 500, policy: tell })
    await chat.undo((await chat.compactions())[0]?.compaction)
    const context = await chat.context({ budget: 500, policy: tell })
    expect(context.receipt.lines.filter(({ type }) => type === 'folded')).toEqual([])
    expect(context.tokens).toBeLessThanOrEqual(500)
    await chat.append(user('go on'))
    const again = await chat.context({ budget: 500, policy: tell })
    expect(again.receipt.lines.filter(({ type }) => type === 'folded')).toHaveLength(1)
  })

  it('[cmp-13] cannot-reduce is said once, not at every context', async () => {
    const events: string[] = []
    const memory = await memoryOf({ tokenizer: words, onEvent: ({ type }) => events.push(type) })
    const chat = memory.scope('acme').session('chat')
    await chat.append([user(text(40)), assistant('ok')])
    for (let again = 0; again < 3; again++) await chat.context({ budget: 52, policy: tell })
    expect(events.filter((type) => type === 'compaction-start')).toHaveLength(1)
    await chat.append(user('more'))
    await chat.context({ budget: 60, policy: tell })
    expect(events.filter((type) => type === 'compaction-start')).toHaveLength(2)
  })

  it('[cmp-13] one that stays above its mark is not tried again after every message', async () => {
    const outcomes: CompactOutcome[] = []
    const memory = await memoryOf({
      tokenizer: words,
      onEvent: (event) => event.type === 'compaction-end' && outcomes.push(event.outcome),
    })
    const chat = memory.scope('acme').session('chat')
    // The system message alone is nearly at the high mark of 400.
    await chat.append(system(text(360)))
    for (let round = 0; round < 20; round++) {
      await rounds(chat, 1, round)
      const { tokens } = await chat.context({ budget: 500, policy: tell })
      expect(tokens).toBeLessThanOrEqual(500)
    }
    const compacted = outcomes.flatMap((outcome) => (outcome.type === 'compacted' ? [outcome.receipt] : []))
    expect(compacted.map(({ reached }) => reached)).not.toContain(true)
    // Each round brings 52 tokens, and half of the way between the marks is 100.
    expect(compacted.length).toBeGreaterThan(4)
    expect(compacted.length).toBeLessThan(12)
    expect(outcomes.length - compacted.length).toBeLessThanOrEqual(2)
  })
})

describe('[cmp-8] undo', () => {
  it('gives back the window and the next context, with what was appended since', async () => {
    const chat = await long(10)
    const options = { budget: 400, policy: 'recency' } as const
    const [window, context] = [await chat.window(), await chat.context(options)]
    const outcome = await chat.compact({ policy: tell, budget: 500 })
    expect(outcome.type).toBe('compacted')
    expect(await chat.undo()).toHaveLength(1)
    expect(await chat.window()).toEqual(window)
    expect(JSON.stringify((await chat.context(options)).as('openai'))).toBe(JSON.stringify(context.as('openai')))
    await chat.compact({ policy: tell, budget: 500 })
    const [added] = await chat.append(user('since'))
    await chat.undo()
    expect(await chat.window()).toEqual([...window, added])
  })

  it('takes back a named one and all after it; each only once', async () => {
    const chat = await long(10)
    const window = await chat.window()
    const names: number[] = []
    for (const policy of [tell, dropping]) {
      const outcome = await chat.compact({ policy, force: true, budget: 300 })
      if (outcome.type === 'compacted') names.push(outcome.receipt.compaction ?? 0)
    }
    expect(names).toHaveLength(2)
    await expect(chat.undo(1)).rejects.toMatchObject({ code: 'context/not-found' })
    expect(await chat.undo(names[0])).toEqual(names.toReversed())
    expect(await chat.window()).toEqual(window)
    await expect(chat.undo(names[0])).rejects.toMatchObject({ code: 'context/not-found' })
    await expect(chat.undo()).rejects.toMatchObject({ code: 'context/not-found' })
  })

  it('[cmp-7] leaves the log and every earlier window readable', async () => {
    const chat = await long(10)
    const history = await chat.history()
    const { version } = await chat.stats()
    await chat.compact({ policy: tell, budget: 500 })
    const folded = await chat.window()
    const { version: after } = await chat.stats()
    expect(after).toBe(version + 1)
    await chat.undo()
    expect(await chat.history()).toEqual(history)
    expect(await chat.window({ asOf: { version } })).toEqual(history)
    expect(await chat.window({ asOf: { version: after } })).toEqual(folded)
  })
})

describe('[cmp-9] reopen', () => {
  it('reads a long fold page by page, and only the rows near each page', async () => {
    const store = await openSqliteStore(':memory:', () => 0)
    const chat = (await openMemoryWith(store)).scope('acme').session('chat')
    for (let batch = 0; batch < 10; batch++)
      await chat.append(
        Array.from({ length: 100 }, (_, index) =>
          (index % 2 === 0 ? user : assistant)(`line ${batch * 100 + index} ${'x'.repeat(200)}`),
        ),
      )
    await chat.compact({ policy: dropping, force: true, budget: 1_000 })
    const fold = (await chat.window()).find((entry): entry is Fold => 'standIn' in entry)
    const whole = await chat.reopen(fold?.id ?? '', { limit: 1_000_000 })
    expect(whole.next).toBe(null)
    const rows: number[] = []
    const messages = store.log.messages.bind(store.log)
    store.log.messages = async (query) => {
      const found = await messages(query)
      rows.push(found.length)
      return found
    }
    let pages = ''
    for (let offset: number | null = 0; offset !== null;) {
      const page = await chat.reopen(fold?.id ?? '', { offset, limit: 7_001 })
      pages += page.text
      offset = page.next
    }
    expect(pages).toBe(whole.text)
    // About 30 pages; each may read as much as lies between two marks and a page of rows.
    expect(rows.reduce((sum, count) => sum + count, 0)).toBeLessThan(30 * 600)
    expect(whole.messages.length).toBeGreaterThan(900)
    await store.close()
  })

  it('gives the original messages, by pages that together are the whole and never cut a character in two', async () => {
    const chat = await chatWith(user('🎈'.repeat(60)), assistant(text(50)), user('next'), assistant('ok'), user('now'))
    await chat.compact({ policy: tell, force: true })
    const [fold] = foldsOf(await chat.window())
    const pages: string[] = []
    for (let offset: number | null = 0; offset !== null;) {
      const page = await chat.reopen(fold?.id ?? '', { offset, limit: 25 })
      expect(page.text.length).toBeLessThanOrEqual(26)
      expect(page.text.isWellFormed()).toBe(true)
      pages.push(page.text)
      offset = page.next
    }
    expect(pages.join('')).toContain('🎈'.repeat(60))
    const whole = await chat.reopen(fold?.id ?? '')
    expect(whole.text).toBe(pages.join(''))
    expect(whole.messages).toEqual((await chat.history()).slice(0, whole.messages.length))
  })

  it('knows folds of undone and of earlier compactions, because a context may still show them', async () => {
    const chat = await long(10)
    await chat.compact({ policy: tell, budget: 500 })
    const [fold] = foldsOf(await chat.window())
    await chat.undo()
    expect((await chat.reopen(fold?.id ?? '')).text).toContain('question 0')
  })

  it('answers an unknown id and another session’s id with an error', async () => {
    const memory = await memoryOf()
    const [mine, theirs] = [memory.scope('acme').session('mine'), memory.scope('acme').session('theirs')]
    for (const chat of [mine, theirs]) {
      await rounds(chat, 10)
      await chat.compact({ policy: tell, budget: 300 })
    }
    const [[a], [b]] = [foldsOf(await mine.window()), foldsOf(await theirs.window())]
    expect(a?.sources).toEqual(b?.sources)
    for (const id of [b?.id ?? '', 'fold-000000000000', 'nothing'])
      await expect(mine.reopen(id)).rejects.toMatchObject({ code: 'context/not-found' })
  })
})

describe('a window that stands on a compaction', () => {
  it('opens a fold when a message behind it is revised or removed, each in its own place', async () => {
    // The pinned message stands between what the fold hides.
    const chat = await chatWith(
      user(`one ${text(30)}`),
      assistant(`two ${text(30)}`),
      user('keep', { tags: ['pinned'] }),
      assistant(`four ${text(30)}`),
      user('five'),
      assistant('six'),
    )
    await chat.compact({ policy: dropping, budget: 10 })
    expect(seqsOf(await chat.window())).toEqual(['1-2,4-4', 3, 5, 6])
    const [, two] = await chat.history()
    await chat.revise(two?.id ?? '', { content: 'two, revised' })
    expect(seqsOf(await chat.window())).toEqual([1, 2, 3, 4, 5, 6])
    await chat.compact({ policy: dropping, budget: 10 })
    await chat.remove(two?.id ?? '')
    expect(seqsOf(await chat.window())).toEqual([1, 3, 4, 5, 6])
    await chat.compact({ policy: dropping, budget: 10 })
    await chat.clear()
    expect(await chat.window()).toEqual([])
  })

  it('is what a fork sees, as far as it shares it', async () => {
    const chat = await long(10)
    await chat.compact({ policy: tell, budget: 500 })
    const window = await chat.window()
    await rounds(chat, 1, 10)
    const whole = await chat.fork('whole')
    expect(seqsOf(await whole.window())).toEqual([...seqsOf(window), 22, 23])
    const early = await chat.fork('early', { at: 6 })
    expect(seqsOf(await early.window())).toEqual([1, 2, 3, 4, 5, 6])
    const [fold] = foldsOf(window)
    expect((await whole.reopen(fold?.id ?? '')).text).toContain('question 0')
    await expect(early.reopen(fold?.id ?? '')).rejects.toMatchObject({ code: 'context/not-found' })
    await whole.undo()
    expect(foldsOf(await whole.window())).toEqual([])
    expect(foldsOf(await chat.window())).toHaveLength(1)
  })

  it('[ctx-6] leaves a call alone whose result may still come', async () => {
    const chat = await chatWith(
      user(`go ${text(30)}`),
      call('a'),
      user(`never mind ${text(30)}`),
      assistant(text(30)),
      user('now'),
    )
    await chat.compact({ policy: dropping, force: true, budget: 10 })
    expect(seqsOf(await chat.window())).toEqual(['1-1,3-3', 2, 4, 5])
    await chat.append(results('a'))
    const { messages } = await chat.context({ budget: 1_000, policy: 'recency' })
    const at = messages.findIndex(({ parts }) => parts.some(({ type }) => type === 'tool-call'))
    expect(messages[at + 1]).toMatchObject({ role: 'tool', parts: [{ type: 'tool-result', callId: 'a' }] })
  })

  it('[ctx-7] shows a result whose call was folded long before it came, as quoted data', async () => {
    const chat = await chatWith(user(`go ${text(30)}`), call('a'))
    await rounds(chat, 8)
    await chat.append(user('now'))
    await chat.compact({ policy: dropping, force: true, budget: 10 })
    expect(seqsOf(await chat.window())).toEqual(['1-17', 18, 19])
    await chat.append(results('a'))
    const context = await chat.context({ budget: 1_000, policy: 'recency' })
    expect(told(context.messages).at(-1)).toMatch(/^user: \[tool result without its call: "look"\] "saw a"/)
  })

  it('is counted by who counts now, not by who counted then', async () => {
    const file = join(directory, 'tokenizer.db')
    const one = await memoryOf(undefined, file)
    await rounds(one.scope('acme').session('chat'), 10)
    await one.scope('acme').session('chat').compact({ policy: tell, budget: 300 })
    const { context } = {
      context: await one.scope('acme').session('chat').context({ budget: 2_000, policy: 'recency' }),
    }
    const two = await memoryOf({ tokenizer: { name: 'letters', exact: false, count: (said) => said.length } }, file)
    const letters = await two.scope('acme').session('chat').context({ budget: 20_000, policy: 'recency' })
    expect(letters.receipt.tokens.folds).toBeGreaterThan(2 * context.receipt.tokens.folds)
    const again = letters.messages.reduce((sum, { parts }) => sum + 3 + JSON.stringify(parts).length, 0)
    expect(letters.tokens).toBeLessThan(again)
    await expect(two.scope('acme').session('chat').context({ budget: 100, strict: true })).rejects.toMatchObject({
      code: 'context/over-budget',
    })
  })

  it('has folds that say when: by the clock, not by the place', async () => {
    const chat = await chatWith(
      user(text(30), { at: '2026-03-01T00:00:00Z' }),
      { ...assistant(text(30)), at: '2026-01-01T00:00:00Z' },
      user(text(30), { at: '2026-02-01T00:00:00Z' }),
      assistant('ok'),
      user('now'),
    )
    await chat.compact({ policy: dropping, force: true })
    expect(foldsOf(await chat.window())[0]).toMatchObject({
      firstAt: '2026-01-01T00:00:00.000Z',
      lastAt: '2026-03-01T00:00:00.000Z',
    })
  })
})

describe('at the same time', () => {
  /** A memory whose model takes its time: what happens meanwhile happens in the middle of a compaction. */
  async function busy(file: string, meanwhile: () => Promise<unknown>): Promise<Session> {
    let done = false
    const memory = await memoryOf(
      {
        tokenizer: words,
        model: async () => {
          if (!done) {
            done = true
            await meanwhile()
          }
          return 'no summary'
        },
      },
      join(directory, file),
    )
    return memory.scope('acme').session('chat')
  }

  it('[cmp-5] messages that are appended during a compaction stand after it', async () => {
    const chat = await busy('append.db', () => chat.append([user('meanwhile'), user('and again')]))
    await rounds(chat, 10)
    expect(await chat.compact({ policy: tell, budget: 300 })).toMatchObject({ type: 'compacted' })
    expect((await chat.window()).slice(-2)).toEqual((await chat.history()).slice(-2))
    expect(foldsOf(await chat.window())).toHaveLength(1)
  })

  it('a revision during a compaction is not lost either: it starts again from there', async () => {
    const chat = await busy('revise.db', async () => {
      const [first] = await chat.history()
      await chat.revise(first?.id ?? '', { content: `revised ${text(21)}` })
    })
    await rounds(chat, 10)
    expect(await chat.compact({ policy: tell, budget: 300 })).toMatchObject({ type: 'compacted' })
    const [fold] = foldsOf(await chat.window())
    expect((await chat.reopen(fold?.id ?? '')).text).toContain('revised')
    expect(JSON.stringify(fold?.standIn)).not.toContain('question 0')
  })

  it('[cmp-6] of two that compact, one wins and the other sees it; also by force', async () => {
    const other = (await memoryOf(undefined, join(directory, 'race.db'))).scope('acme').session('chat')
    const options = { policy: tell, force: true, budget: 300 }
    const outcomes: string[] = []
    const chat = await busy('race.db', async () => outcomes.push((await other.compact(options)).type))
    await rounds(chat, 10)
    const { version } = await chat.stats()
    outcomes.push((await chat.compact(options)).type)
    expect(outcomes).toEqual(['compacted', 'not-needed'])
    expect((await chat.stats()).version).toBe(version + 1)
    expect(await chat.window()).toEqual(await other.window())
  })

  it('[cmp-6] a context sees the compaction that was quicker than its own', async () => {
    const other = (await memoryOf(undefined, join(directory, 'context.db'))).scope('acme').session('chat')
    const options = { policy: tell, budget: 300 }
    const chat = await busy('context.db', () => other.context(options))
    await rounds(chat, 10)
    const context = await chat.context(options)
    expect(JSON.stringify(context.messages)).toBe(JSON.stringify((await other.context(options)).messages))
    expect(context.receipt.lines.some(({ type }) => type === 'folded')).toBe(true)
  })
})
