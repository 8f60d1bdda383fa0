import { refuse } from '../domain/refuse.ts'
import { TRUST_OF_CHANNEL, type Channel, channels } from '../domain/trust.ts'
import { allows } from '../domain/key.ts'
import type { SessionOptions } from '../api/sessions.ts'
import type { Session } from '../api/session.ts'
import type { Call } from './route.ts'

/** The session of the path. */
export function sessionOf({ scope, names }: Call, options: SessionOptions = {}): Session {
  return scope.session(names['session'] ?? '', options)
}

/** The body as options, which the library checks. Its type is what the library wants; its value is what was sent. */
export function optionsOf<Options>({ body = {} }: Pick<Call, 'body'>): Options {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    refuse('read the request', 'body', body, 'an object')
  return body as Options
}

/** Query parameters as options, which the library checks. */
export function queryOf<Options>({ query }: Call): Options {
  return query as Options
}

/**
 * Through whom a change comes: what the key stands for, or less if the caller says so. Trust is given by the key and never
 * by a field of the request.
 */
export function channelOf({ key }: Call, asked: unknown): Channel | undefined {
  const most: Channel = key.can.includes('admin') ? 'operator' : allows(key.can, 'write') ? 'user' : 'tool'
  // An operator who says nothing leaves it to the sources, as the library does.
  if (asked === undefined) return most === 'operator' ? undefined : most
  if (!channels.includes(asked as Channel)) refuse('read the request', 'channel', asked, channels.join(', '))
  const channel = asked as Channel
  return TRUST_OF_CHANNEL[channel] > TRUST_OF_CHANNEL[most] ? most : channel
}
