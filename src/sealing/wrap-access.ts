import { isSealed, keyOfSealed } from '../domain/sealed.ts'
import type { AccessStore, AnswerRow } from '../ports/access-store.ts'
import type { DataKey, KeyRing } from './key-ring.ts'
import { openText, sealText } from './seal-rows.ts'

/** The place of the key for kept answers. No scope of a user's has an empty name. */
const ANSWERS = ['', 'answers'] as const

/**
 * Answers that a server keeps for retries may quote anything, so they are encrypted too. Their key is destroyed whenever something is
 * forgotten, as the answers themselves are deleted: so those in old backups go as well.
 */
export function wrapAccess(access: AccessStore, ring: KeyRing): AccessStore {
  const key = (): Promise<DataKey> => ring.forState(...ANSWERS)
  return {
    ...access,
    answer: async (name) => {
      const row = await access.answer(name)
      return row === undefined ? undefined : open(await key(), row)
    },
    keepAnswer: async (row, olderThan) => access.keepAnswer(seal(await key(), row), olderThan),
    changeAnswer: async (name, decide, olderThan) => {
      const own = await key()
      const before = await access.changeAnswer(
        name,
        (row) => {
          const opened = row === undefined ? undefined : open(own, row)
          const changed = decide(opened)
          // The same row again means that nothing changes.
          if (changed === opened) return row
          return changed === null || changed === undefined ? changed : seal(own, changed)
        },
        olderThan,
      )
      return before === undefined ? undefined : open(own, before)
    },
  }
}

export function answersKey(ring: KeyRing): Promise<string | undefined> {
  return ring.stateKeyOf(...ANSWERS)
}

/** A mark that something was begun says nothing of content. */
function seal(key: DataKey, row: AnswerRow): AnswerRow {
  return row.status === 0 || row.body === '' ? row : { ...row, body: sealText(key, ['answer', row.name], row.body) }
}

/** One whose key is gone counts as deleted. */
function open(key: DataKey, row: AnswerRow): AnswerRow {
  if (!isSealed(row.body)) return row
  return { ...row, body: keyOfSealed(row.body) === key.id ? openText(key, ['answer', row.name], row.body) : '' }
}
