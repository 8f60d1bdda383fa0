// Appends without end, from many callers at once, until it is killed. Says each acknowledgement after its call resolved.
import type { Session } from '../../../src/api/session.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Ack } from '../harness/ledger.ts'
import { tell, waitForGo } from '../harness/parent.ts'
import { sha, textOf } from '../harness/text.ts'

type Caller = (session: Session, key: string) => Promise<void>

const [file = ''] = process.argv.slice(2)
const task = waitForGo() as {
  /** The next number of each caller: what was not acknowledged is tried again under the same key. */
  readonly next: Readonly<Record<string, number>>
  /** Sabotage: acknowledges before the append resolves. */
  readonly early: boolean
}

const say = (key: string, id?: string): { role: 'user'; content: string; id?: string } => ({
  role: 'user',
  content: textOf(key),
  ...(id === undefined ? {} : { id }),
})

const acknowledge = (session: Session, key: string, stored: { readonly seq: number; readonly id: string }): void =>
  tell({
    kind: 'message',
    session: session.id,
    seq: stored.seq,
    id: stored.id,
    sha: sha(textOf(key)),
    revisedSha: sha(`revised ${textOf(key)}`),
  } satisfies Ack)

const callers: Readonly<Record<string, Caller>> = {
  async plain(session, name) {
    // Nothing makes a retry of this one safe: each process has its own.
    const key = `${name}-${process.pid}`
    if (task.early)
      tell({
        kind: 'message',
        session: session.id,
        seq: (await session.count()) + 1,
        id: key,
        sha: sha(textOf(key)),
      } satisfies Ack)
    const [stored] = await session.append(say(key))
    if (stored !== undefined && !task.early) acknowledge(session, key, stored)
  },
  async withId(session, key) {
    const [stored] = await session.append(say(key, key))
    if (stored !== undefined) acknowledge(session, key, stored)
  },
  async withOperation(session, key) {
    const stored = await session.append([say(`${key}a`), say(`${key}b`)], { operationId: key })
    for (const [index, message] of stored.entries()) acknowledge(session, `${key}${'ab'[index]}`, message)
  },
  async amending(session, key) {
    await callers['withId']?.(session, key)
    await session.revise(key, { content: `revised ${textOf(key)}` })
    tell({ kind: 'revised', session: session.id, id: key } satisfies Ack)
    await session.remove(key)
    tell({ kind: 'removed', session: session.id, id: key } satisfies Ack)
  },
}

const started = performance.now()
const memory = await openMemory(file)
tell({ kind: 'opened', ms: performance.now() - started })
const wanted = task.early ? ['plain'] : Object.keys(callers)
await Promise.all(['one', 'two', 'three'].flatMap((session) => wanted.map((caller) => repeat(session, caller))))

async function repeat(sessionId: string, caller: string): Promise<never> {
  const name = `${sessionId}-${caller}`
  const session = memory.scope('acme/ada').session(sessionId)
  for (let number = task.next[name] ?? 0; ; number++) {
    await callers[caller]?.(session, `${name}-${number}`)
    tell({ kind: 'done', name, number })
  }
}
