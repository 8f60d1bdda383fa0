import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import { defined } from '../../src/domain/defined.ts'
import type { MemoryError } from '../../src/domain/error.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const MODEL = 'claude-x'
const BUDGET = 3_000
/** As far off as a report may be and still be counted. */
const WRONG_BY_FAR = { model: MODEL, inputTokens: 9_900, estimatedTokens: 1_000 }

async function talk(chat: Session): Promise<void> {
  for (let turn = 0; turn < 20; turn++)
    await chat.append([
      { role: 'user', content: `Question ${turn}: ${'what about this one? '.repeat(8)}` },
      { role: 'assistant', content: `Answer ${turn}: ${'that one is all right. '.repeat(8)}` },
    ])
}

/** Everything that a scope is shown about revisions while it works, and others in its root work too. */
async function shownToAda(open: OpenSubject, others: readonly string[]): Promise<unknown> {
  await using memory = await open({ clock: new ManualClock() })
  const ada = memory.scope('acme/ada')
  let written = 0
  const ids = new Map<unknown, string>()
  const shown: unknown[] = []
  const show = async (answer: Promise<unknown>): Promise<void> => {
    const seen: unknown = await answer.catch((error: unknown) => {
      const { code, message, details } = error as MemoryError
      return { code, message, details }
    })
    shown.push(
      JSON.parse(JSON.stringify(seen), (key, value: unknown) => (isId(key, value) ? nameOf(ids, value) : value)),
    )
    for (const other of others)
      await memory.scope(other).remember({ subject: 'Bob', predicate: 'counted', object: (written += 1) })
  }
  const status = (object: string, expected?: number): Promise<unknown> =>
    ada.remember({ subject: 'order', predicate: 'status', object, ...defined({ expect: expected }) })
  await show(ada.predicate('status', { single: true }))
  await show(memory.scope('acme').remember({ subject: 'acme', predicate: 'makes', object: 'tea' }))
  for (const object of ['new', 'paid', 'sent']) await show(status(object))
  await show(status('lost', 1))
  await show(status('found', 5))
  const [fact] = await ada.facts({ subject: 'order' })
  if (fact === undefined) throw new Error('nothing was stored')
  await show(ada.retract(fact.id, 'wrong', { expect: 2 }))
  await show(ada.retract(fact.id, 'wrong', { expect: fact.revision }))
  await show(ada.factHistory(fact.id))
  await show(ada.restore(fact.id))
  await show(ada.propose({ stale: [fact.id] }, 'old'))
  const [proposal] = await ada.proposals()
  await show(ada.endorse(fact.id))
  await show(ada.apply(proposal?.id ?? ''))
  await show(ada.proposals())
  await show(ada.facts({ includeClosed: true }))
  await show(ada.facts({ asOf: { version: 4 } }))
  await show(ada.facts({ asOf: { version: 99 } }))
  await show(ada.fact(fact.id))
  await show(ada.entities())
  await show(ada.graph({ around: 'order' }))
  await show(ada.knowledgeVersion())
  return shown
}

/** Ids are random, and differ from run to run. */
function isId(key: string, value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value) && key !== ''
}

function nameOf(ids: Map<unknown, string>, id: string): string {
  const name = ids.get(id) ?? `id ${ids.size}`
  ids.set(id, name)
  return name
}

/** What one tenant does changes nothing for another. */
export function testTenants(open: OpenSubject): void {
  describe('tenants', () => {
    it('[walls-250] revisions of what is known count the changes of a scope and its ancestors, never those of its siblings', async () => {
      const alone = await shownToAda(open, [])
      expect(await shownToAda(open, ['acme/bob', 'acme/ada/helper', 'acme/adam'])).toEqual(alone)
    })

    it("[walls-1] a usage report changes no other root's contexts, and stores no compaction there", async () => {
      await using memory = await open()
      const ada = memory.scope('acme').session('s')
      await talk(ada)
      const before = await ada.context({ budget: BUDGET, model: MODEL })
      const { version } = await ada.stats()
      for (let report = 0; report < 5; report++) await memory.scope('acme2').session('s').usage(WRONG_BY_FAR)
      const after = await ada.context({ budget: BUDGET, model: MODEL })
      expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages))
      expect((await ada.stats()).version).toBe(version)
    })

    it('[walls-2] a report of another scope under the same root causes no compaction, an own report does', async () => {
      await using memory = await open()
      const ada = memory.scope('acme/ada').session('s')
      await talk(ada)
      await ada.context({ budget: BUDGET, model: MODEL })
      const { version } = await ada.stats()
      const report = async (scope: string): Promise<void> => {
        for (let time = 0; time < 5; time++) await memory.scope(scope).session('s').usage(WRONG_BY_FAR)
      }
      for (const scope of ['acme', 'acme/bob', 'acme/ada/helper']) await report(scope)
      const calibrated = await ada.context({ budget: BUDGET, model: MODEL })
      expect(calibrated.tokens).toBeLessThanOrEqual(BUDGET)
      expect((await ada.stats()).version).toBe(version)
      await report('acme/ada')
      await ada.context({ budget: BUDGET, model: MODEL })
      expect((await ada.stats()).version).toBeGreaterThan(version)
    })

    it('[walls-3] with `calibrate: false` reports are counted in totals and change no context', async () => {
      await using memory = await open({ calibrate: false })
      const ada = memory.scope('acme').session('s')
      await talk(ada)
      const before = await ada.context({ budget: BUDGET, model: MODEL })
      for (let report = 0; report < 5; report++) await ada.usage(WRONG_BY_FAR)
      const after = await ada.context({ budget: BUDGET, model: MODEL })
      expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages))
      expect(await ada.state.get('token_usage')).toMatchObject({ total_input: 5 * 9_900 })
    })
  })
}
