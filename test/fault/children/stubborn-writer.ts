// Works on a disk that fails: every call is tried again with the same ids, and every failure is told as it surfaced.
import { MemoryError } from '../../../src/domain/error.ts'
import type { Memory } from '../../../src/api/memory.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Ack } from '../harness/ledger.ts'
import { tell, waitForGo } from '../harness/parent.ts'
import { sha, textOf } from '../harness/text.ts'

export type StubbornLine =
  | Ack
  | { readonly kind: 'failed'; readonly what: string; readonly code: string }
  /** Not one of our errors: a bug. */
  | { readonly kind: 'raw'; readonly what: string; readonly error: string }
  | { readonly kind: 'given-up'; readonly session: string; readonly id: string }
  | { readonly kind: 'read'; readonly ok: boolean }
  | { readonly kind: 'end' }

const TRIES = 3
const [file = ''] = process.argv.slice(2)
/** Sabotage: acknowledges whatever it gave up. */
const careless = waitForGo() === 'careless'

process.on('uncaughtException', (error) => say({ kind: 'raw', what: 'uncaught', error: String(error.stack) }))
process.on('unhandledRejection', (error) => say({ kind: 'raw', what: 'unhandled', error: String(error) }))

const memory = await stubbornly('open', () => openMemory(file))
if (memory !== undefined) {
  for (let step = 0; step < 8; step++) {
    const [stored] = await Promise.all([
      append(memory, 'one', `one-${step}`),
      append(memory, 'two', `two-${step}`),
      append(memory, 'two', `other-${step}`),
    ])
    if (stored === true && step % 3 === 1) await revise(memory, 'one', `one-${step}`)
  }
  const history = await stubbornly('history', () => memory.scope('acme/ada').session('one').history())
  say({ kind: 'read', ok: history !== undefined })
  await stubbornly('close', () => memory.close())
}
say({ kind: 'end' })

async function append(on: Memory, session: string, id: string): Promise<boolean> {
  const stored = await stubbornly('append', () =>
    on
      .scope('acme/ada')
      .session(session)
      .append({ role: 'user', id, content: textOf(id, 6_000) }),
  )
  const [message] = stored ?? []
  if (message === undefined && careless) say({ kind: 'message', session, seq: 1, id, sha: sha(textOf(id, 6_000)) })
  else if (message === undefined) say({ kind: 'given-up', session, id })
  else
    say({
      kind: 'message',
      session,
      seq: message.seq,
      id,
      sha: sha(textOf(id, 6_000)),
      revisedSha: sha(`revised ${id}`),
    })
  return message !== undefined
}

async function revise(on: Memory, session: string, id: string): Promise<void> {
  const revised = await stubbornly('revise', () =>
    on
      .scope('acme/ada')
      .session(session)
      .revise(id, { content: `revised ${id}` }),
  )
  if (revised !== undefined) say({ kind: 'revised', session, id })
}

async function stubbornly<Result>(what: string, run: () => Promise<Result>): Promise<Result | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      return await run()
    } catch (error) {
      if (MemoryError.is(error)) say({ kind: 'failed', what, code: error.code })
      else say({ kind: 'raw', what, error: error instanceof Error ? String(error.stack) : String(error) })
    }
  }
  return undefined
}

function say(line: StubbornLine): void {
  tell(line)
}
