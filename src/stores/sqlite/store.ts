import type { Calibration } from '../../domain/calibration.ts'
import type { CalibrationStore } from '../../ports/calibration-store.ts'
import type { Store } from '../../ports/store.ts'
import { logStatements as sql } from '../sql/log-statements.ts'
import { CommitSignal } from './commit-signal.ts'
import { Connection } from './connection.ts'
import { SqliteLogStore } from './log-store.ts'
import { IN_MEMORY } from './open-database.ts'
import { patiently } from './patiently.ts'
import { WriteQueue } from './write-queue.ts'

/** Opens a memory in one SQLite file, or in none with `:memory:`. */
export function openSqliteStore(file: string, now: () => number): Store {
  const connection = new Connection(file, now)
  const signal = new CommitSignal(connection)
  const queue = new WriteQueue(connection, () => signal.ring())
  return {
    log: new SqliteLogStore(connection, queue, signal),
    calibrations: calibrationStore(connection, queue),
    check: () =>
      patiently(
        'check the file',
        () => integrity(connection),
        (error) => connection.noticeFailure(error),
      ),
    close: async () => {
      if (connection.closed) return
      await queue.settled()
      if (file !== IN_MEMORY) connection.checkpoint() // leaves one tidy file behind
      connection.close()
      signal.close()
    },
  }
}

function calibrationStore(connection: Connection, queue: WriteQueue): CalibrationStore {
  const read = (model: string): Calibration | undefined => {
    const row = connection.statement(sql.calibration).get(model) as { value: string } | undefined
    return row === undefined ? undefined : (JSON.parse(row.value) as Calibration)
  }
  return {
    read: (model) =>
      patiently(
        'read a calibration',
        () => read(model),
        (error) => connection.noticeFailure(error),
      ),
    update: (model, next) =>
      queue.write('store a calibration', () => {
        const calibration = next(read(model))
        connection.statement(sql.writeCalibration).run(model, JSON.stringify(calibration))
        return calibration
      }),
  }
}

function integrity(connection: Connection): readonly string[] {
  const rows = connection.database().pragma('integrity_check(100)') as { integrity_check: string }[]
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}
