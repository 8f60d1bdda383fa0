import type { Session } from '../../api/session.ts'
import { openMemory } from '../../memory/open-memory.ts'

export interface Measured {
  readonly what: string
  readonly operations: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const AT_ONCE = 64
const QUESTIONS = 50
const BUDGET = 8_000

/** A short run on a fresh file: enough to see what a disk and a processor do, not to compare releases. */
export async function measure(
  file: string,
  messages: number,
  say: (message: string) => void,
): Promise<readonly Measured[]> {
  const memory = await openMemory(file, { learn: false })
  try {
    const scope = memory.scope('bench')
    const session = scope.session('bench')
    const alone = Math.ceil(messages / 4)
    say('Appending one after the other')
    const single = await timed('append, one at a time', alone, 1, (index) => append(session, index))
    say(`Appending ${AT_ONCE} at once`)
    const many = await timed(`append, ${AT_ONCE} at once`, messages - alone, AT_ONCE, (index) =>
      append(session, alone + index),
    )
    say('Reading for recall')
    const first = await timed('first recall, which reads all', 1, 1, () => scope.recall(question(0), { fresh: true }))
    const recalls = await timed('recall', QUESTIONS, 1, (index) => scope.recall(question(index)))
    say('Building contexts')
    const contexts = await timed('context', QUESTIONS, 1, () => session.context({ budget: BUDGET, policy: 'recency' }))
    return [single, many, first, recalls, contexts]
  } finally {
    await memory.close()
  }
}

const things = ['order', 'invoice', 'parcel', 'refund', 'ticket', 'contract', 'meeting', 'garden', 'bicycle', 'recipe']
const places = ['Lisbon', 'Oslo', 'Nairobi', 'Kyoto', 'Quito', 'Perth', 'Riga', 'Tunis']

function append(session: Session, index: number): Promise<unknown> {
  const thing = things[index % things.length]
  const place = places[Math.floor(index / things.length) % places.length]
  const role = index % 2 === 0 ? 'user' : 'assistant'
  return session.append({
    role,
    content: `About the ${thing} number ${index}: it went to ${place} on day ${index % 28}.`,
  })
}

function question(index: number): string {
  return `Where did the ${things[index % things.length]} number ${index * 7} go?`
}

/** Runs so many operations, some of them at once, and keeps how long each took. */
async function timed(
  what: string,
  operations: number,
  atOnce: number,
  operation: (index: number) => Promise<unknown>,
): Promise<Measured> {
  const times: number[] = []
  const started = performance.now()
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < operations) {
      const index = next
      next += 1
      const begun = performance.now()
      await operation(index)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, operations) }, worker))
  const seconds = (performance.now() - started) / 1_000
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { what, operations, perSecond: operations / seconds, p50Ms: at(0.5), p99Ms: at(0.99) }
}
