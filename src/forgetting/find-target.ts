import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { ask } from '../knowledge/ask.ts'
import type { ForgetOptions } from '../api/facts.ts'
import type { ForgettingWiring } from './wiring.ts'
import type { LogTarget } from './plan.ts'

export async function findSession(
  { store }: ForgettingWiring,
  scope: string,
  { session }: { readonly session: string },
  { forks = false }: ForgetOptions,
): Promise<LogTarget> {
  const [found, ...others] = await store.erasure.family(scope, session)
  if (found === undefined)
    throw new MemoryError(
      'log/not-found',
      `Cannot forget: there is no session ${quote(session)} in ${quote(scope)}, expected the id of one`,
      { session, scope },
    )
  const names = others.map(({ name }) => name)
  if (names.length > 0 && !forks)
    throw new MemoryError(
      'log/has-forks',
      `Cannot forget session ${quote(session)}: ${names.map(quote).join(', ')} share its history, expected forks: true to forget them too`,
      { session, forks: names },
    )
  return { session, key: found.key, seqs: 'all' }
}

/** It has state, notes or tasks, and no message was ever appended. */
export async function hasOnlyState({ store }: ForgettingWiring, scope: string, session: string): Promise<boolean> {
  // Not read through the log: a session whose description is damaged can be forgotten too.
  const family = await store.erasure.family(scope, session)
  return family.length === 0 && (await store.state.count({ scope, session })) > 0
}

/** The session that holds the row: a fork reads messages of the session it came from. */
export async function findMessage(
  parts: ForgettingWiring,
  scope: string,
  { message, session }: { readonly message: string; readonly session?: string },
): Promise<LogTarget> {
  const { store, knowledge } = parts
  const held =
    session === undefined
      ? (await knowledge.store.read(scope, () => ask({ of: 'messages', scopes: [scope], id: message }))).map(
          (row) => row.session,
        )
      : await holderOf(parts, scope, session, message)
  const [owner, ...others] = [...new Set(held)]
  if (owner !== undefined && others.length === 0) {
    const head = await store.log.session(scope, owner)
    const row = head === undefined ? undefined : await store.log.message(head, message)
    if (head !== undefined && row !== undefined && row.body !== '')
      return { session: owner, key: head.key, seqs: [row.seq] }
  }
  const found = others.length > 0 ? `several sessions have a message with this id` : 'there is none with this id'
  throw new MemoryError(
    others.length > 0 ? 'input/invalid' : 'log/not-found',
    `Cannot forget message ${quote(message)}: ${found}, expected a message of ${quote(session ?? scope)}${others.length > 0 ? ' and its session' : ''}`,
    { message, session, scope, sessions: held },
  )
}

async function holderOf(
  { store }: ForgettingWiring,
  scope: string,
  session: string,
  message: string,
): Promise<readonly string[]> {
  for (let name: string | undefined = session; name !== undefined;) {
    const head = await store.log.session(scope, name)
    if (head === undefined) return []
    const row = await store.log.message(head, message)
    if (row !== undefined) return [name]
    name = head.parent?.name
  }
  return []
}
