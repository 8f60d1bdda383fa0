import { join } from 'node:path'
import { z } from 'zod'
import { checkOptions } from '../../domain/check-options.ts'
import { refuse } from '../../domain/refuse.ts'
import { fieldsOf, onlyQuery } from '../arguments.ts'
import { receivedArchive, sendArchive } from '../archive-streams.ts'
import type { Call, Route } from '../route.ts'

const imported: z.ZodType = z.object({
  records: z.int(),
  bytes: z.int(),
  stored: z.int(),
  sessions: z.int(),
  messages: z.int(),
})

/** Taking out, bringing in, and copies on the server's side. */
export const archiveRoutes: readonly Route[] = [
  {
    operation: 'archive.export',
    summary: 'An archive of a scope and all below, or of one session',
    query: z.object({ session: z.string().optional() }),
    streams: 'out',
    handle: (call) => sendArchive(call, call.scope.export(onlyQuery(call, 'export', ['session']))),
  },
  {
    operation: 'archive.import',
    summary: 'Stores what an archive has and the scope has not, as it arrives',
    streams: 'in',
    patient: true,
    answer: imported,
    handle: async (call) => call.memory.import(receivedArchive(call), { scope: call.scope.name }),
  },
  {
    operation: 'memory.export',
    summary: 'An archive of everything',
    streams: 'out',
    handle: (call) => {
      checkOptions('export', call.query, [], 'parameter')
      return sendArchive(call, call.memory.export())
    },
  },
  {
    operation: 'memory.import',
    summary: 'Stores what an archive has and the memory has not, as it arrives',
    streams: 'in',
    patient: true,
    answer: imported,
    handle: async (call) => call.memory.import(receivedArchive(call)),
  },
  {
    operation: 'memory.backup',
    summary: "Copies the memory into a new file of the server's directory for backups, and checks the copy",
    body: z.object({ file: z.string() }),
    answer: z.object({ file: z.string(), bytes: z.int(), sessions: z.int(), messages: z.int() }),
    patient: true,
    handle: backUp,
  },
]

/** A key, even an admin's, is no reason to write anywhere on the server's disk: one directory, and a plain name in it. */
async function backUp(call: Call): Promise<unknown> {
  const { file } = fieldsOf(call, 'back up', ['file'])
  if (typeof file !== 'string' || !/^[\w-][\w.-]{0,199}$/.test(file))
    refuse('back up', 'file', file, "a name of letters, digits, dots and dashes: a file of the server's directory")
  if (call.backups === undefined)
    refuse('back up', 'backups', undefined, 'a server that was started with a directory for backups')
  return { ...(await call.memory.backup(join(call.backups, file))), file }
}
