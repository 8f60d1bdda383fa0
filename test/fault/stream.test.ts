import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { runTurn } from '../../src/agent/run-turn.ts'
import { lint } from '../../src/dialects/lint.ts'
import { textOf } from '../../src/domain/text-of.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { folder } from '../cli/harness.ts'
import { times } from '../tier.ts'
import { seeded } from './harness/seeded.ts'

const CHILD = fileURLToPath(new URL('children/streamer.ts', import.meta.url))
const KILLS = times({ daily: 2, nightly: 60 })
const place = folder()

/** Streams until as many characters are in the log, then kills. Returns how many were seen there. */
async function streamUntil(file: string, name: string, characters: number): Promise<number> {
  const child = spawn(process.execPath, [CHILD, file, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  let seen = 0
  for await (const line of createInterface({ input: child.stdout })) {
    seen = Math.max(seen, Number(line))
    if (seen > characters) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  return seen
}

it('[contexts-70] a crash leaves what came of a reply, marked as incomplete, and the next turn goes on', async () => {
  const random = seeded()
  const file = join(place, 'streams.db')
  for (let kill = 0; kill < KILLS; kill++) {
    const name = `s${kill}`
    const seen = await streamUntil(file, name, random.below(3_000))
    await using memory = await openMemory(file)
    const session = memory.scope('acme/ada').session(name)
    const [, reply] = await session.history()
    const text = textOf(reply ?? {})
    expect(reply).toMatchObject({ seq: 2, role: 'assistant', incomplete: 'streaming' })
    expect(text.length).toBeGreaterThanOrEqual(seen)
    expect(
      Array.from({ length: 5_000 }, (_, word) => `${word} `)
        .join('')
        .startsWith(text),
    ).toBe(true)
    expect((await memory.verify()).ok).toBe(true)
    const turn = { model: () => 'I counted.', context: { budget: 4_000 } }
    expect(await runTurn(session, turn)).toMatchObject({ type: 'replied', text: 'I counted.', steps: 1 })
    expect(await session.get(reply?.id ?? '')).toMatchObject({ removed: true, incomplete: 'stopped' })
    const context = await session.context({ budget: 4_000 })
    for (const dialect of ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const)
      expect(lint(context.as(dialect), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
  }
})
