import type { Calibration } from '../../domain/calibration.ts'
import type { CalibrationKey, CalibrationStore } from '../../ports/calibration-store.ts'
import { calibrationStatements as sql } from './calibration-statements.ts'
import type { Database } from './database.ts'
import { lock } from './lock.ts'
import { type Program, one, changeRows } from './program.ts'

/** How estimates of tokens compare with what providers counted. */
export function calibrationStore(database: Database): CalibrationStore {
  return {
    read: (key) => database.read('read a calibration', [key.scope], () => read(key)),
    update: (key, next) =>
      database.write('store a calibration', [key.scope], function* () {
        yield* lock(database, 'calibration', key.scope, key.model, key.tokenizer)
        const calibration = next(yield* read(key))
        yield* changeRows(sql.write, key.scope, key.model, key.tokenizer, JSON.stringify(calibration))
        return calibration
      }),
  }
}

function* read({ scope, model, tokenizer }: CalibrationKey): Program<Calibration | undefined> {
  const row = yield* one<{ readonly value: string }>(sql.read, scope, model, tokenizer)
  return row === undefined ? undefined : (JSON.parse(row.value) as Calibration)
}
