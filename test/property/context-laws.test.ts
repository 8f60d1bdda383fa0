import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Policy, PolicyName } from '../../src/api/policy.ts'
import type { Fold } from '../../src/domain/fold.ts'
import type { Message } from '../../src/domain/message.ts'
import { messageText } from '../../src/log/message-text.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'
import { times } from '../tier.ts'
import { bytesIn, checkContext, contextOrRefusal, policies, seqsIn, stored } from './context-checks.ts'
import { type Transcript, plan, transcriptOf } from './context-transcripts.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-context-laws-'))
let memory: Memory
let sessions = 0
beforeEach(async () => {
  memory = await openMemory(':memory:')
})
afterEach(async () => {
  expect(await memory.verify()).toMatchObject({ ok: true, damage: [] })
  await memory.close()
})
afterAll(() => rmSync(directory, { recursive: true }))

vi.setConfig({ testTimeout: times({ daily: 8, nightly: 60 }) * 60_000 })

const policy = fc.constantFrom(...policies)

function seqsOf(entry: Message | Fold): readonly number[] {
  return 'sources' in entry ? entry.sources.flatMap(seqsIn) : [entry.seq]
}

async function liveSeqs(chat: Session): Promise<readonly number[]> {
  return (await chat.history()).filter(({ removed }) => removed !== true).map(({ seq }) => seq)
}

/** The window stands for every live message exactly once, oldest first by the first message of each entry. */
async function checkCoverage(chat: Session): Promise<readonly (Message | Fold)[]> {
  const window = await chat.window()
  const seqs = window.map(seqsOf)
  expect(seqs.flat().toSorted((a, b) => a - b)).toEqual(await liveSeqs(chat))
  const places = seqs.map(([first = 0]) => first)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  for (const entry of window) if ('sources' in entry) expect(entry.messages).toBe(seqsOf(entry).length)
  return window
}

/** Everything that `reopen` gives for a fold, page by page. Each page reads the fold anew: of a long one, fewer and larger. */
async function pagesOf(chat: Session, fold: string, smallest: number): Promise<string> {
  let text = ''
  let limit = smallest
  for (let offset: number | null = 0; offset !== null;) {
    const page = await chat.reopen(fold, { offset, limit })
    expect(page.text.length).toBeLessThanOrEqual(limit + 1)
    expect(/[\uD800-\uDBFF]$/.test(text) && /^[\uDC00-\uDFFF]/.test(page.text), 'a pair in two pages').toBe(false)
    text += page.text
    offset = page.next
    limit = Math.max(smallest, Math.ceil(page.total / PAGES_MAX))
    if (offset === null) expect(text.length).toBe(page.total)
  }
  return text
}

const PAGES_MAX = 20

/** Every live message is in the window, or `reopen` of a fold of the window gives its text. */
async function checkReachable(chat: Session, limit: number): Promise<void> {
  const history = await chat.history()
  for (const entry of await chat.window()) {
    if (!('sources' in entry)) continue
    const text = await pagesOf(chat, entry.id, limit)
    for (const seq of seqsOf(entry))
      expect(text.includes(messageText(history[seq - 1] as Message)), `message ${seq} behind ${entry.id}`).toBe(true)
  }
}

async function compactBy(chat: Session, how: PolicyName | Policy, force: boolean): Promise<string> {
  const { tokens } = await chat.stats()
  return (await chat.compact({ policy: how, force, budget: Math.max(1, Math.ceil(tokens / 2)) })).type
}

const runs = { numRuns: times({ daily: 20, nightly: 4_000 }) }

describe('a compaction', () => {
  it('[prove-1] [cmp-7] [cmp-8] is undone to the byte, one after the other, and never touches the log', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.array(policy, { minLength: 1, maxLength: 4 }), async (steps, list) => {
        const transcript = transcriptOf(steps)
        const chat = await stored(memory, `undo-${++sessions}`, transcript)
        const history = JSON.stringify(await chat.history())
        const { tokens } = await chat.stats()
        const seen = async (): Promise<string> => {
          const context = await contextOrRefusal(chat, { budget: Math.max(1, tokens), policy: 'recency' })
          return JSON.stringify(await chat.window()) + (context === undefined ? '' : bytesIn(context))
        }
        const states = [await seen()]
        for (const how of list) {
          const type = await compactBy(chat, how, true)
          if (type === 'compacted') states.push(await seen())
          else expect(await seen()).toBe(states.at(-1))
        }
        for (const state of states.toReversed().slice(1)) {
          await chat.undo()
          expect((await seen()) === state, 'the window and the context before').toBe(true)
        }
        await expect(chat.undo()).rejects.toMatchObject({ code: 'context/not-found' })
        expect(JSON.stringify(await chat.history()) === history, 'the log').toBe(true)
      }),
      runs,
    )
  })

  it('[prove-1] [cmp-9] leaves every message within reach, however it is paged', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.array(policy, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(97, 1_000, 8_000),
        async (steps, list, limit) => {
          const chat = await stored(memory, `reach-${++sessions}`, transcriptOf(steps))
          for (const how of list) await compactBy(chat, how, true)
          await checkCoverage(chat)
          await checkReachable(chat, limit)
        },
      ),
      runs,
    )
  })

  it('[prove-1] [cmp-13] [cmp-14] comes to a fixed point, says so, and changes nothing there', async () => {
    await fc.assert(
      fc.asyncProperty(plan, policy, async (steps, how) => {
        const chat = await stored(memory, `fixed-${++sessions}`, transcriptOf(steps))
        let tokens = Number.POSITIVE_INFINITY
        for (let round = 0; round < 40; round++) {
          const outcome = await chat.compact({ policy: how, force: true, budget: 500 })
          if (outcome.type !== 'compacted') break
          expect(outcome.receipt.after.tokens).toBeLessThan(Math.min(tokens, outcome.receipt.before.tokens))
          tokens = outcome.receipt.after.tokens
        }
        const before = JSON.stringify([await chat.window(), await chat.stats()])
        expect(await chat.compact({ policy: how, force: true, budget: 500 })).toMatchObject({
          type: 'cannot-reduce',
        })
        const { type } = await chat.compact({ policy: how, budget: 500 })
        expect(['cannot-reduce', 'not-needed']).toContain(type)
        expect(JSON.stringify([await chat.window(), await chat.stats()]) === before).toBe(true)
      }),
      runs,
    )
  })

  it('[prove-1] [cmp-4] changes nothing as a dry run, and then does what the dry run said', async () => {
    await fc.assert(
      fc.asyncProperty(plan, policy, async (steps, how) => {
        const chat = await stored(memory, `dry-${++sessions}`, transcriptOf(steps))
        const before = JSON.stringify([await chat.window(), await chat.stats()])
        const dry = await chat.compact({ policy: how, force: true, budget: 500, dryRun: true })
        expect(JSON.stringify([await chat.window(), await chat.stats()]) === before).toBe(true)
        const wet = await chat.compact({ policy: how, force: true, budget: 500 })
        if (dry.type === 'dry-run' && wet.type === 'compacted')
          expect({ ...wet.receipt, compaction: null }).toEqual(dry.receipt)
        else expect(wet).toEqual(dry)
      }),
      { numRuns: times({ daily: 20, nightly: 1_000 }) },
    )
  })
})

type Op =
  | { readonly do: 'append' | 'revise' | 'remove' | 'fork'; readonly pick: number }
  | { readonly do: 'compact' | 'context'; readonly policy: PolicyName | Policy; readonly share: number }
  | { readonly do: 'undo' }
  | { readonly do: 'clear'; readonly keepSystem: boolean }

const pick = fc.nat({ max: 1_000 })
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('append' as const), pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('compact' as const, 'context' as const),
      policy,
      share: fc.constantFrom(0.1, 0.3, 0.6, 0.9),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revise' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), pick }) },
  { weight: 2, arbitrary: fc.constant({ do: 'undo' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), keepSystem: fc.boolean() }) },
)

/** Does anything that a session can do, and after each looks at what must always hold. */
class Life {
  readonly #past: { readonly chat: Session; readonly version: number; readonly window: string }[] = []
  readonly #transcript: Transcript
  #chat: Session
  #appended = 0

  constructor(chat: Session, transcript: Transcript) {
    this.#chat = chat
    this.#transcript = transcript
  }

  async take(one: Op): Promise<void> {
    const before = await this.#chat.history()
    const target = 'pick' in one ? before[one.pick % Math.max(1, before.length)] : undefined
    if (one.do === 'append') await this.#append(one.pick)
    else if (one.do === 'compact' || one.do === 'context') await this.#shrink(one)
    else if (one.do === 'clear') await this.#chat.clear({ keepSystem: one.keepSystem })
    else if (one.do === 'undo')
      await this.#chat.undo().catch((error: unknown) => expect(error).toMatchObject({ code: 'context/not-found' }))
    else if (target === undefined) return
    else if (one.do === 'remove') await this.#chat.remove(target.id)
    else if (one.do === 'fork') this.#chat = await this.#chat.fork(`life-${++sessions}`, { at: target.seq })
    else await this.#revise(target)
    if ((await this.#chat.history()).length === 0) return
    const window = await checkCoverage(this.#chat)
    this.#past.push({
      chat: this.#chat,
      version: (await this.#chat.stats()).version,
      window: JSON.stringify(window),
    })
  }

  async end(): Promise<void> {
    for (const { chat, version, window } of this.#past)
      expect(JSON.stringify(await chat.window({ asOf: { version } })) === window, `as of ${version}`).toBe(true)
    await checkReachable(this.#chat, 1_000)
  }

  async #append(count: number): Promise<void> {
    const { messages } = this.#transcript
    const next = messages.slice(this.#appended, this.#appended + 1 + (count % 40))
    this.#appended += next.length
    await this.#chat.append(next.length > 0 ? next : [{ role: 'user', content: `more ${this.#appended}` }])
  }

  async #revise(target: Message): Promise<void> {
    const role = target.role
    if (role !== 'user' && role !== 'system') return
    await this.#chat.revise(target.id, { content: `revised ${sessions} ${'word '.repeat(30)}` })
    if (target.removed === true) return
    const shown = (await this.#chat.window()).find((entry) => 'seq' in entry && entry.seq === target.seq)
    expect(shown, 'a revised message speaks for itself').toMatchObject({ revision: target.revision + 1 })
  }

  async #shrink(one: Extract<Op, { do: 'compact' | 'context' }>): Promise<void> {
    const { tokens } = await this.#chat.stats()
    const budget = Math.max(1, Math.ceil(tokens * one.share))
    if (one.do === 'compact') {
      await this.#chat.compact({ policy: one.policy, force: true, budget })
      return
    }
    const options = { policy: one.policy, budget }
    const context = await contextOrRefusal(this.#chat, options)
    const live = (await this.#chat.history()).filter(({ removed }) => removed !== true)
    // Late results, removals and forks make bundles that the transcript does not know of.
    const known = { ...this.#transcript, bundles: [], marks: [] }
    if (context !== undefined) await checkContext(context, options, live, known)
  }
}

it('[prove-1] [cmp-7] [cmp-8] [cmp-9] whatever a session does, its window stands for every live message once, now and as of every earlier version', async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.array(op, { minLength: 3, maxLength: 24 }), async (steps, ops) => {
      const life = new Life(memory.scope('property').session(`life-${++sessions}`), transcriptOf(steps))
      for (const one of [{ do: 'append', pick: 30 } as const, ...ops]) await life.take(one)
      await life.end()
    }),
    { numRuns: times({ daily: 30, nightly: 10_000 }) },
  )
})

it('[prove-1] what is reachable is the same whether contexts were built on the way or only at the end', async () => {
  await fc.assert(
    fc.asyncProperty(plan, policy, fc.integer({ min: 1, max: 30 }), async (steps, how, stride) => {
      const { messages } = transcriptOf(steps)
      const [whole, grown] = ['replay', 'incremental'].map((kind) =>
        memory.scope('property').session(`${kind}-${++sessions}`),
      ) as [Session, Session]
      await whole.append(messages.slice(0, 900))
      const { tokens } = await whole.stats()
      const options = { policy: how, budget: Math.max(1, Math.ceil(tokens * 0.7)) }
      await contextOrRefusal(whole, options)
      for (let at = 0; at < Math.min(900, messages.length); at += Math.max(stride, Math.ceil(messages.length / 20))) {
        await grown.append(messages.slice(at, Math.min(900, at + Math.max(stride, Math.ceil(messages.length / 20)))))
        await contextOrRefusal(grown, options)
      }
      const texts = async (chat: Session): Promise<readonly string[]> => {
        await checkCoverage(chat)
        await checkReachable(chat, 8_000)
        return (await chat.history()).map(messageText)
      }
      expect(await texts(grown)).toEqual(await texts(whole))
    }),
    { numRuns: times({ daily: 30, nightly: 3_000 }) },
  )
})

describe('at the same time', () => {
  it('[cmp-5] appends during a compaction survive it', async () => {
    await fc.assert(
      fc.asyncProperty(plan, policy, fc.integer({ min: 1, max: 8 }), async (steps, how, count) => {
        const chat = await stored(memory, `during-${++sessions}`, transcriptOf(steps))
        const say = async (_: unknown, index: number): Promise<Message> => {
          for (let turn = 0; turn < index * 2; turn++) await setImmediate()
          return (await chat.append({ role: 'user', content: `during ${index}` }))[0]
        }
        const [, ...appended] = await Promise.all([
          chat.compact({ policy: how, force: true, budget: 500 }),
          ...Array.from({ length: count }, say),
        ])
        // Those that came before it read the window may be in a fold: every live message is in the window or in a fold of it.
        await checkCoverage(chat)
        const live = await chat.history()
        for (const message of appended) expect(live).toContainEqual(message)
      }),
      { numRuns: times({ daily: 20, nightly: 2_000 }) },
    )
  })

  it('[cmp-6] of two memories that compact one file, one wins and the other sees it', async () => {
    const file = join(directory, 'two.db')
    const [one, two] = await Promise.all([openMemory(file), openMemory(file)])
    await fc.assert(
      fc.asyncProperty(plan, policy, async (steps, how) => {
        const name = `two-${++sessions}`
        const mine = await stored(one, name, transcriptOf(steps))
        const theirs = two.scope('property').session(name)
        const { version } = await mine.stats()
        const options = { policy: how, force: true, budget: 500 }
        const outcomes = await Promise.all([mine.compact(options), theirs.compact(options)])
        const won = outcomes.filter(({ type }) => type === 'compacted').length
        expect((await mine.stats()).version).toBe(version + won)
        expect(await theirs.window()).toEqual(await mine.window())
        await checkCoverage(theirs)
      }),
      { numRuns: times({ daily: 12, nightly: 500 }) },
    )
    await one.close()
    await two.close()
  })
})
