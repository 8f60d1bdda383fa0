import type { CompositeSessionKey } from '@google/adk'

type Owner = Pick<CompositeSessionKey, 'appName' | 'userId'>

/** The keys of the records that sessions have. Names are encoded, so that none contains a slash. */
export const sessionKeys: {
  readonly session: (key: CompositeSessionKey) => string
  /** What the keys of the sessions of an application begin with, or of one user of it. */
  readonly sessions: (owner: { readonly appName: string; readonly userId?: string }) => string
  readonly app: (owner: Pick<Owner, 'appName'>) => string
  readonly user: (owner: Owner) => string
  readonly read: (key: string) => CompositeSessionKey
} = {
  session: ({ appName, userId, sessionId }) => joined('session', appName, userId, sessionId),
  sessions: ({ appName, userId }) => joined('session', appName, ...(userId === undefined ? [] : [userId]), ''),
  app: ({ appName }) => joined('app', appName),
  user: ({ appName, userId }) => joined('user', appName, userId),
  read: (key) => {
    const [, appName = '', userId = '', sessionId = ''] = key.split('/').map((name) => decodeURIComponent(name))
    return { appName, userId, sessionId }
  },
}

function joined(...names: readonly string[]): string {
  return names.map(encodeURIComponent).join('/')
}
