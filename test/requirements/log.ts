/** What we promise about the log. */
export const logPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'log-1',
    'A session can be appended to, read, searched, revised, cleared, forked and watched, and read as of an earlier moment.',
  ],
  ['log-2', 'The description of a session is its system message.'],
  ['log-3', 'The SQLite driver is better-sqlite3.'],
  ['log-4', 'A write is on disk before it is acknowledged. Writes that arrive together are committed together.'],
  ['log-5', 'Sequence numbers have no gaps, however many processes write.'],
  [
    'log-6',
    'A repeated id or `operationId` with the same content returns what is stored; with other content it is a conflict.',
  ],
  ['log-7', '`after` makes an append conditional.'],
  ['log-8', 'Each session is a hash chain, and `verify()` names the session and message whose content changed.'],
  [
    'log-9',
    'Migrations are numbered, checksummed and transactional. A file of a newer version is refused and not touched.',
  ],
  ['log-10', '`watch` yields every committed message once and in order, those of other processes too.'],
  ['log-11', 'Both stores do the same.'],
  ['log-12', 'One contract suite runs on every store.'],
]
