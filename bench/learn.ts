import { join } from 'node:path'
import { openMemory } from '../src/memory/open-memory.ts'
import { taught, traps } from '../test/knowledge/learn/sentences.ts'
import type { Figure } from './measure.ts'

const MESSAGES = 20_000
const PER_SESSION = 500
const SMALL_TALK = 'Could you look at the second paragraph again and tell me what you would change about it, and why? '

/** A message of some 200 characters as people write them: one in three says something about the speaker. */
function message(index: number): { role: 'user' | 'assistant'; content: string } {
  const samples = [...taught, ...traps]
  const [said = ''] = samples[index % samples.length] ?? []
  const content = index % 3 === 0 ? `${SMALL_TALK}${said}` : `${SMALL_TALK}${SMALL_TALK}`
  return { role: index % 2 === 0 ? 'user' : 'assistant', content }
}

/** [know-6] How many messages a second are learned from without a model, into a file, with everything that goes with it. */
export async function learnBenchmark(directory: string): Promise<readonly Figure[]> {
  const file = join(directory, 'learn.db')
  const writer = await openMemory(file, { learn: false })
  const started = performance.now()
  for (let from = 0; from < MESSAGES; from += PER_SESSION) {
    const batch = Array.from({ length: PER_SESSION }, (_, index) => message(from + index))
    await writer.scope('acme/ada').session(`s${from}`).append(batch)
  }
  const appended = performance.now() - started
  await writer.close()
  const memory = await openMemory(file)
  const begun = performance.now()
  await memory.settled()
  const seconds = (performance.now() - begun) / 1_000
  const jobs = await memory.jobs.list({ kind: 'learn', limit: 1_000 })
  const facts = jobs.reduce(
    (sum, { result }) => sum + Number((result as { facts?: number } | undefined)?.facts ?? 0),
    0,
  )
  await memory.close()
  return [
    {
      requirement: '[know-6]',
      what: 'learning without a model',
      value: Math.round(MESSAGES / seconds),
      unit: '/s',
      goal: { atLeast: 1_000 },
      note: `${MESSAGES} messages of 200 characters, ${facts} claims stored as facts; appending them took ${(appended / 1_000).toFixed(1)} s, learning ${seconds.toFixed(1)} s`,
    },
  ]
}
