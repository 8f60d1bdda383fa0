import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { TurnResult } from '../../src/api/turn.ts'
import { lint } from '../../src/dialects/lint.ts'
import { textOf } from '../../src/domain/text-of.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { folder } from '../cli/harness.ts'
import { times } from '../tier.ts'
import { seeded } from './harness/seeded.ts'

const CHILD = fileURLToPath(new URL('children/run-turn.ts', import.meta.url))
const KILLS = times({ daily: 16, nightly: 300 })
const POINTS_MAX = 60
const MILLISECONDS_MAX = 200

const place = folder()
/** A child mostly loads its sources: those that ran to their end leave them compiled for the next. */
const env = { ...process.env, NODE_COMPILE_CACHE: join(place, 'compiled') }

interface Seen {
  readonly results: readonly string[]
  readonly roles: readonly string[]
  /** Replies that a kill cut off, as far as they came. */
  readonly cut: readonly string[]
}

/** What is stored, checked as every provider would check it. */
async function look(file: string): Promise<Seen> {
  await using memory = await openMemory(file, { learn: false })
  expect((await memory.verify()).ok).toBe(true)
  const session = memory.scope('acme/ada').session('s')
  const history = await session.history()
  if (history.length > 0) {
    const context = await session.context({ budget: 4_000, compact: false })
    for (const dialect of ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const) {
      const wrong = lint(context.as(dialect), dialect).filter(({ severity }) => severity === 'error')
      expect(wrong, dialect).toEqual([])
    }
  }
  return {
    roles: history.flatMap(({ role, incomplete }) => (incomplete === undefined ? [role] : [])),
    cut: history.flatMap(({ incomplete, parts }) => (incomplete === undefined ? [] : [textOf({ parts })])),
    results: history.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [part.callId ?? ''] : [])),
    ),
  }
}

function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

it(`[contexts-43] a turn that is killed anywhere goes on: nothing is lost, and no tool runs again whose result is stored`, async () => {
  const random = seeded()
  let kills = 0
  for (let turn = 0; kills < KILLS; turn += 1) {
    const [file, effects] = [join(place, `${turn}.db`), join(place, `${turn}.txt`)]
    let before: Seen = { results: [], roles: [], cut: [] }
    for (;;) {
      const ran = linesOf(effects).length
      const where = random.chance(0.5) ? { point: random.below(POINTS_MAX) } : { ms: random.below(MILLISECONDS_MAX) }
      const child = spawnSync(process.execPath, [CHILD, file, effects, JSON.stringify(where)], {
        encoding: 'utf8',
        env,
      })
      const again = linesOf(effects).slice(ran)
      expect(again.filter((id) => before.results.includes(id))).toEqual([])
      const now = await look(file)
      expect(now.roles.slice(0, before.roles.length)).toEqual(before.roles)
      for (const [index, text] of before.cut.entries()) expect(now.cut[index]).toBe(text)
      for (const text of now.cut) expect('All is done.'.startsWith(text) && text !== '', text).toBe(true)
      expect(new Set(now.results).size, 'one result a call').toBe(now.results.length)
      before = now
      if (child.signal !== null) {
        kills += 1
        continue
      }
      expect(child.stderr).toBe('')
      expect(JSON.parse(child.stdout) as TurnResult).toMatchObject({ type: 'replied', text: 'All is done.' })
      break
    }
    expect(before.roles).toHaveLength(1 + 4 * 3 + 1)
    expect(new Set(linesOf(effects)).size).toBe(8)
  }
})
