import type { Lesson } from '../../../src/knowledge/learn/lesson.ts'
import type { Teacher } from '../../../src/knowledge/learn/learning.ts'
import type { Store } from '../../../src/ports/store.ts'
import { driverFor } from '../../../src/stores/sqlite/driver.ts'
import { Connection } from '../../../src/stores/sqlite/connection.ts'
import { learnStatements } from '../../../src/stores/sql/learn-statements.ts'
import { retryBusy } from '../../../src/stores/sqlite/retry-busy.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'
import { WriteQueue } from '../../../src/stores/sqlite/write-queue.ts'

/** What was learned, as a row: nothing makes rows unique, so learning twice shows. */
export interface LessonRow {
  readonly message: string
  readonly claim: string
  readonly trust: string
}

export interface LessonStore {
  readonly store: Store<'stored'>
  readonly teacher: Teacher
  /** Sabotage: stores what was learned first and moves the cursor later, in two transactions. */
  readonly careless: Teacher
  /** Everything that was ever stored as learned. */
  rows(): readonly LessonRow[]
}

/** An SQLite store and, in the same file, a bare table for what is learned, written in the transaction that moves the cursor. */
export async function openLessonStore(file: string, now: () => number = Date.now): Promise<LessonStore> {
  const driver = await driverFor(undefined)
  const connection = await retryBusy(
    'open',
    () => new Connection({ file, now, driver }),
    () => undefined,
  )
  const queue = new WriteQueue(connection, () => undefined)
  await queue.write('make the table', () =>
    connection.statement('CREATE TABLE IF NOT EXISTS lessons (message TEXT, claim TEXT, trust TEXT)').run(),
  )
  const store = await openSqliteStore(file, now)
  const move = ({ key, from, to }: Lesson): boolean => {
    const cursor = connection.statement(learnStatements.cursor).get(key) as { version: number } | undefined
    if ((cursor?.version ?? 0) !== from) return false
    connection.statement(learnStatements.moveCursor).run(key, to.version, to.seq)
    return true
  }
  const insert = ({ learned, revised }: Lesson): void => {
    for (const id of revised) connection.statement('DELETE FROM lessons WHERE message = ?').run(id)
    for (const { source, subject, predicate, object } of learned) {
      const claim = `${subject} ${predicate} ${object}`
      connection.statement('INSERT INTO lessons VALUES (?, ?, ?)').run(source.id, claim, source.role)
    }
  }
  return {
    store: {
      ...store,
      close: async () => {
        if (connection.closed) return
        await queue.settled()
        connection.close()
        await store.close()
      },
    },
    teacher: {
      teach: (lesson) =>
        queue.write('store a lesson', () => {
          const moved = move(lesson)
          if (moved) insert(lesson)
          return moved
        }),
      near: async () => [],
    },
    careless: {
      teach: async (lesson) => {
        await queue.write('store a lesson', () => insert(lesson))
        return queue.write('move the cursor', () => move(lesson))
      },
      near: async () => [],
    },
    rows: () => connection.statement('SELECT message, claim, trust FROM lessons').all() as LessonRow[],
  }
}
