import { type Signal, signal } from '@preact/signals'
import type { Verb } from '../../domain/key.ts'
import { goTo } from './place.ts'
import { RequestFailure, edition, holdToken, refused, request } from './request.ts'

/** What the page may do, as the server says. */
export interface OwnKey {
  readonly id: string
  readonly name: string
  /** The scope that it is for; null for the whole memory. */
  readonly scope: string | null
  readonly can: readonly Verb[]
  readonly expiresAt: string | null
}

/** The key in use; null while there is none; undefined until the server said. */
export const ownKey: Signal<OwnKey | null | undefined> = signal(undefined)

/** Whether the key may do this. `admin` may do everything, and who may write may propose. */
export function mayDo(verb: Verb): boolean {
  const can = ownKey.value?.can ?? []
  return can.includes(verb) || can.includes('admin') || (verb === 'propose' && can.includes('write'))
}

/** Uses the key of the link if there is one, else the cookie. The key leaves the address before anything is sent. */
export async function signInAtStart(): Promise<void> {
  const token = /[#&]key=([^&]+)/.exec(location.hash)?.[1]
  if (token !== undefined) history.replaceState(null, '', location.pathname + location.search)
  try {
    if (token === undefined) ownKey.value = (await request<{ readonly key: OwnKey }>('/sign-in')).key
    else await signIn(decodeURIComponent(token))
  } catch (error) {
    if (error instanceof RequestFailure && error.code === 'offline') return
    ownKey.value = null
  }
  // Nobody came with a key yet, so none was refused.
  if (token === undefined) refused.value = false
}

/** Gives a key to the server, which keeps it as a cookie. @throws {RequestFailure} */
export async function signIn(token: string): Promise<void> {
  holdToken(token)
  const { key } = await request<{ readonly key: OwnKey }>('/sign-in', { method: 'POST' })
  holdToken(undefined)
  // In a frame of another site, browsers do not send the cookie back.
  const kept = await request('/sign-in').then(
    () => true,
    () => false,
  )
  if (!kept) holdToken(token)
  refused.value = false
  ownKey.value = key
  edition.value += 1
}

export async function signOut(): Promise<void> {
  holdToken(undefined)
  await request('/sign-in', { method: 'DELETE' })
  ownKey.value = null
  goTo('/')
}
