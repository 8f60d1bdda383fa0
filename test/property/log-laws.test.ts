import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import type { Role } from '../../src/domain/message.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { texts } from '../contract/subject.ts'
import { times } from '../tier.ts'
import { ModelLog } from './model.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-laws-'))
afterAll(() => rmSync(directory, { recursive: true }))

type Step =
  | {
      readonly do: 'append'
      readonly session: number
      readonly role: Role
      readonly text: string
      readonly count: number
    }
  | {
      readonly do: 'repeat' | 'revise' | 'remove'
      readonly session: number
      readonly pick: number
      readonly text: string
    }
  | { readonly do: 'clear'; readonly session: number; readonly keepSystem: boolean }
  | { readonly do: 'fork'; readonly session: number; readonly pick: number }
  | { readonly do: 'stale'; readonly session: number }
  | { readonly do: 'reopen' }
  | { readonly do: 'check'; readonly session: number; readonly n: number; readonly pick: number }

const session = fc.nat({ max: 3 })
const pick = fc.nat({ max: 40 })
const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
const role = fc.constantFrom<Role>('system', 'user', 'assistant')

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      session,
      role,
      text,
      count: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('repeat' as const, 'revise' as const, 'remove' as const),
      session,
      pick,
      text,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const), session, keepSystem: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fork' as const), session, pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stale' as const), session }) },
  { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('check' as const), session, n: fc.integer({ min: 1, max: 8 }), pick }),
  },
)

/** Plays steps against the store and the model at once, and compares after each. */
class Duel {
  readonly #file: string
  readonly #model = new ModelLog()
  readonly #past: { readonly session: string; readonly version: number; readonly window: readonly string[] }[] = []
  #memory: Memory
  #serial = 0

  constructor(file: string, memory: Memory) {
    this.#file = file
    this.#memory = memory
  }

  async play(action: Step): Promise<void> {
    if (action.do === 'reopen') {
      await this.#memory.close()
      this.#memory = await openMemory(this.#file)
      return
    }
    const name = [...this.#model.sessions.keys()][action.session] ?? `s${action.session}`
    const chat = this.#memory.scope('laws').session(name)
    const known = this.#model.of(name)
    const target = 'pick' in action ? known[action.pick % Math.max(1, known.length)] : undefined
    if (action.do === 'append') {
      const batch = Array.from({ length: action.count }, () => ({
        role: action.role,
        content: action.text,
        id: `m${++this.#serial}`,
      }))
      const stored = await chat.append(batch, { after: known.length })
      expect(stored.map((message) => message.seq)).toEqual(
        batch.map(({ role: as, content, id }) => this.#model.append(name, as, id, content)),
      )
    } else if (action.do === 'stale') {
      await expect(chat.append({ role: 'user', content: 'x' }, { after: known.length + 1 })).rejects.toMatchObject({
        code: 'log/conflict',
      })
    } else if (action.do === 'clear') {
      await chat.clear({ keepSystem: action.keepSystem })
      this.#model.clear(name, action.keepSystem)
    } else if (action.do === 'fork') {
      if (known.length === 0) return
      const at = action.pick % (known.length + 1)
      const into = `f${++this.#serial}`
      await chat.fork(into, { at })
      this.#model.fork(name, into, at)
    } else if (action.do === 'check') {
      await this.#check(name, action.n)
    } else if (target !== undefined) {
      await this.#amend(action, name, target)
    }
    const { version } = await chat.stats()
    this.#past.push({ session: name, version, window: this.#model.window(name) })
  }

  async #amend(
    action: Extract<Step, { readonly text: string; readonly pick: number }>,
    name: string,
    target: NonNullable<ReturnType<ModelLog['find']>>,
  ): Promise<void> {
    const chat = this.#memory.scope('laws').session(name)
    if (action.do === 'repeat') {
      const [again] = await chat.append({ role: target.role, content: target.texts[0] ?? '', id: target.id })
      expect(again?.seq).toBe(target.seq)
      await expect(
        chat.append({ role: target.role, content: `${target.texts[0]}!`, id: target.id }),
      ).rejects.toMatchObject({ code: 'log/id-conflict' })
    } else if (action.do === 'revise') {
      expect(await chat.revise(target.id, { content: action.text })).toMatchObject({
        seq: target.seq,
        revision: target.texts.length,
      })
      target.texts = [...target.texts, action.text]
    } else {
      expect(await chat.remove(target.id)).toBe(!target.removed)
      target.removed = true
    }
  }

  async #check(name: string, n: number): Promise<void> {
    const chat = this.#memory.scope('laws').session(name)
    const window = this.#model.window(name)
    const history = await chat.history()
    expect(texts(history)).toEqual(this.#model.history(name))
    expect(history.map((message) => message.seq)).toEqual(history.map((_, index) => index + 1))
    expect(texts(await chat.window())).toEqual(window)
    expect(texts(await chat.recent(n))).toEqual(window.slice(-n))
    expect(await chat.count()).toBe(window.length)
    const past = this.#past[(n * 7) % Math.max(1, this.#past.length)]
    if (past !== undefined)
      expect(
        texts(
          await this.#memory
            .scope('laws')
            .session(past.session)
            .window({ asOf: { version: past.version } }),
        ),
      ).toEqual(past.window)
  }

  async end(): Promise<void> {
    for (const name of this.#model.sessions.keys()) await this.#check(name, 3)
    expect(await this.#memory.verify()).toMatchObject({ ok: true, damage: [] })
    await this.#memory.close()
  }
}

it('[show-2] [log-1] any sequence of operations gives what the model gives, now and as of every earlier version', async () => {
  let files = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const file = join(directory, `laws-${++files}.db`)
      const duel = new Duel(file, await openMemory(file))
      for (const action of steps) await duel.play(action)
      await duel.end()
    }),
    { numRuns: times({ daily: 75, nightly: 5_000 }) },
  )
})

it('[show-2] [log-5] any interleaving of appends from several handles gives one gapless order', async () => {
  let files = 0
  const plan = fc.array(
    fc.record({
      handle: fc.nat({ max: 3 }),
      session: fc.nat({ max: 1 }),
      count: fc.integer({ min: 1, max: 4 }),
      pause: fc.boolean(),
    }),
    { minLength: 4, maxLength: 40 },
  )
  await fc.assert(
    fc.asyncProperty(plan, async (calls) => {
      const file = join(directory, `handles-${++files}.db`)
      const memories = await Promise.all(Array.from({ length: 4 }, () => openMemory(file)))
      const appends = calls.map(async ({ handle, session: number, count, pause }, call) => {
        if (pause) await new Promise((resolve) => setImmediate(resolve))
        const chat = memories[handle]?.scope('a').session(`s${number}`)
        return {
          session: number,
          stored:
            (await chat?.append(
              Array.from({ length: count }, (_, index) => ({ role: 'user' as const, content: `${call}.${index}` })),
            )) ?? [],
        }
      })
      const answers = await Promise.all(appends)
      for (const number of [0, 1]) {
        const stored = answers.filter((answer) => answer.session === number).flatMap((answer) => [...answer.stored])
        for (const memory of memories)
          expect(await memory.scope('a').session(`s${number}`).history()).toEqual(
            stored.toSorted((a, b) => a.seq - b.seq),
          )
        expect(stored.map((message) => message.seq).toSorted((a, b) => a - b)).toEqual(
          stored.map((_, index) => index + 1),
        )
        for (const { stored: batch } of answers)
          expect(batch.map((message) => message.seq - (batch[0]?.seq ?? 0))).toEqual(batch.map((_, index) => index))
      }
      await Promise.all(memories.map((memory) => memory.close()))
    }),
    { numRuns: times({ daily: 20, nightly: 1_000 }) },
  )
})
