import type { MoveOptions, RestoreOptions, SideOptions } from '../api/archive.ts'
import { refuse } from '../domain/refuse.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aCallback, aFlag, aText, checkedBy } from '../shape/values.ts'
import { backupEncryption, encryptionOptions } from './encryption.ts'
import type { CheckedCall } from './operation.ts'
import { postgresOptions } from './postgres.ts'

/** The path of a file that is a memory or a backup. */
export const aFilePath: Shape<string> = checkedBy(
  { kind: 'text', min: 1 },
  'the path of a file',
  (attempt, path, file) => {
    if (typeof file !== 'string' || file === '' || file.includes('\0') || file === ':memory:')
      refuse(attempt, path, file, 'the path of a file')
  },
)

/** `restore(backup, file, options)`. */
export const restoreCall: CheckedCall = {
  attempt: 'restore',
  takes: {
    backup: mustHave(aFilePath, 'The path of the backup'),
    file: mustHave(aFilePath, 'The path of the memory'),
  },
  options: anObject<RestoreOptions>('RestoreOptions', {
    force: mayHave(aFlag, 'Restore where a memory is already', 'false'),
    encryption: mayHave(backupEncryption, 'The key of an encrypted backup', 'none'),
  }),
}

const side: Shape<SideOptions> = anObject<SideOptions>(undefined, {
  postgres: mayHave(postgresOptions, 'How the PostgreSQL server is used, for `postgres://` addresses only'),
  encryption: mayHave(encryptionOptions, 'Encrypts what is on the disk', 'nothing'),
})

/** `moveMemory(from, to, options)`. The locations are parsed. */
export const moveCall: CheckedCall = {
  attempt: 'move a memory',
  takes: {
    from: mustHave(aText, 'Where the memory is'),
    to: mustHave(aText, 'Where it is moved to'),
  },
  options: anObject<MoveOptions>('MoveOptions', {
    from: mayHave(side, 'How the source is opened'),
    to: mayHave(side, 'How the target is opened'),
    onProgress: mayHave(aCallback<NonNullable<MoveOptions['onProgress']>>(), 'Called now and then with how far it is'),
  }),
}
