import { type ErrorCode, MemoryError } from '../domain/error.ts'

/** What the process ends with, and when. `docs/cli.md` lists the same; a test compares them. */
export const exitStatuses = {
  ok: { status: 0, when: 'success' },
  failed: { status: 1, when: 'the command failed; nothing was stored unless the message says otherwise' },
  usage: { status: 2, when: 'an option, an argument or a value is wrong or missing' },
  notFound: { status: 3, when: 'there is no such memory, scope, session, message, fold, fact or job' },
  conflict: { status: 4, when: 'somebody else changed it first, or the name is taken: read again, then retry' },
  damaged: { status: 5, when: 'stored data has changed since it was written' },
  findings: {
    status: 6,
    when: 'doctor found something wrong, or bench recall did not find an expected result',
  },
  interrupted: { status: 130, when: 'you pressed Ctrl-C' },
} as const

export type ExitStatus = keyof typeof exitStatuses

/** What the command line itself refuses. The library's own errors pass through as they are. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: ExitStatus

  constructor(exit: ExitStatus, message: string) {
    super(message)
    this.exit = exit
  }
}

const byCode: Partial<Record<ErrorCode, ExitStatus>> = {
  'input/invalid': 'usage',
  'input/unreadable-file': 'notFound',
  'log/conflict': 'conflict',
  'log/id-conflict': 'conflict',
  'log/exists': 'conflict',
  'knowledge/conflict': 'conflict',
  'jobs/conflict': 'conflict',
  'archive/conflict': 'conflict',
  'store/exists': 'conflict',
  'log/not-found': 'notFound',
  'context/not-found': 'notFound',
  'knowledge/not-found': 'notFound',
  'jobs/not-found': 'notFound',
  'archive/damaged': 'damaged',
  'access/not-found': 'notFound',
  'access/key-conflict': 'conflict',
  'access/not-repeated': 'conflict',
  'input/too-large': 'usage',
  'store/corrupt': 'damaged',
}

export function exitOf(error: unknown): ExitStatus {
  if (error instanceof CommandError) return error.exit
  return MemoryError.is(error) ? (byCode[error.code] ?? 'failed') : 'failed'
}
