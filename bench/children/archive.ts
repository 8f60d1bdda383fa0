// One step of the archive benchmark in a process of its own, so that its memory is its own: tells how far memory grew.
import { exportToFile, importFromFile } from '../../src/archive/files.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const [step = '', file = '', archive = '', count = '0'] = process.argv.slice(2)
const MESSAGES_PER_APPEND = 1_000
const SESSIONS = 10

const memory = await openMemory(file, { learn: false })
let peak = process.memoryUsage.rss()
const begun = { rss: peak, at: performance.now() }
const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50)
if (step === 'fill') {
  const text = 'My order 7731 is late, again, and nobody answers the telephone. '.repeat(5)
  for (let stored = 0; stored < Number(count); stored += MESSAGES_PER_APPEND) {
    const session = memory.scope('acme/ada').session(`s${Math.floor((stored * SESSIONS) / Number(count))}`)
    await session.append(
      Array.from({ length: MESSAGES_PER_APPEND }, (_, index) => ({
        role: 'user' as const,
        content: `${stored + index}. ${text}`,
      })),
    )
  }
} else if (step === 'export') await exportToFile(memory, archive)
else await importFromFile(memory, archive)
const ms = performance.now() - begun.at
clearInterval(timer)
await memory.close()
process.stdout.write(`${JSON.stringify({ ms, grewBytes: peak - begun.rss })}\n`)
