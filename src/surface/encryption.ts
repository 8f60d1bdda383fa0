import type { EncryptionOptions } from '../api/open-memory.ts'
import { refuse } from '../domain/refuse.ts'
import { withRule } from '../shape/combine.ts'
import { anObject, mayHave } from '../shape/object.ts'
import type { FieldsOf, OptionalField, Shape } from '../shape/shape.ts'
import { checkedBy, unchecked } from '../shape/values.ts'

/** Errors do not quote values here: they may be keys in the wrong place. */
const keyFile: Shape<string> = checkedBy({ kind: 'text' }, 'the path of a file', (attempt, path, given) => {
  if (typeof given !== 'string' || given === '' || given.includes('\0'))
    refuse(attempt, path, typeof given, 'the path of a file')
})

type Key = NonNullable<EncryptionOptions['file']>

/** Checked when the key is read. */
const key = (help: string): OptionalField<Key> => mayHave(unchecked<Key>('a key'), help, 'none')

const fileKey: FieldsOf<Pick<EncryptionOptions, 'file'>> = {
  file: key('Encrypts the whole SQLite file, its write-ahead log and its backups'),
}

function unquoted<T extends object>(fields: FieldsOf<NoInfer<T>>): Shape<T> {
  const shape = anObject<T>('EncryptionOptions', fields)
  const wanted = `an object with some of ${Object.keys(fields).join(', ')}`
  return {
    ...shape,
    check: (attempt, path, given) => {
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        refuse(attempt, path, typeof given, wanted)
      shape.check(attempt, path, given)
    },
  }
}

/** What is encrypted on the disk, and with which keys. */
export const encryptionOptions: Shape<EncryptionOptions> = withRule(
  unquoted<EncryptionOptions>({
    ...fileKey,
    content: key(
      'Encrypts the messages of sessions and their state, with a data key for each session that this master key wraps',
    ),
    former: key('The master key before this one'),
    keys: mayHave(
      keyFile,
      'The file that has the data keys',
      "the memory's file name with `.keys` appended; required on PostgreSQL",
    ),
  }),
  (attempt, path, { content, former, keys }) => {
    if (content !== undefined) return
    for (const [name, value] of Object.entries({ former, keys }))
      if (value !== undefined) refuse(attempt, `${path}.${name}`, 'there', `${path}.content beside it`)
  },
)

/** The key of an encrypted backup. */
export const backupEncryption: Shape<Pick<EncryptionOptions, 'file'>> =
  unquoted<Pick<EncryptionOptions, 'file'>>(fileKey)
