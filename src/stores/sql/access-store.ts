import type { AccessStore, AnswerRow, AuditRow, AccessKeyRow } from '../../ports/access-store.ts'
import { accessStatements as sql } from './access-statements.ts'
import type { Database } from './database.ts'
import { lock } from './lock.ts'
import { type Program, all, changeRows, one, runEach } from './program.ts'

/** Keys, the audit trail and kept answers, beside the memory that they guard. */
export function accessStore(database: Database): AccessStore {
  const read = <Result>(attempt: string, program: () => Program<Result>): Promise<Result> =>
    database.read(attempt, 'every scope', program)
  const write = <Result>(attempt: string, program: () => Program<Result>): Promise<Result> =>
    database.write(attempt, 'every scope', program)
  return {
    addKey: (row) =>
      write('store a key', function* () {
        const { id, name, scope, can, hash, createdAt, expiresAt, revokedAt, lastUsedAt } = row
        yield* changeRows(sql.addKey, id, name, scope, can, hash, createdAt, expiresAt, revokedAt, lastUsedAt)
      }),
    keyById: (id) => read('read a key', () => one<AccessKeyRow>(sql.keyById, id)),
    keys: () => read('list keys', () => all<AccessKeyRow>(sql.keys)),
    updateKey: (id, change) =>
      write('change a key', function* () {
        yield* lock(database, 'key', id)
        const row = yield* one<AccessKeyRow>(sql.keyById, id)
        if (row === undefined) return undefined
        const changed = change(row)
        yield* changeRows(sql.updateKey, changed.revokedAt, changed.lastUsedAt, id)
        return changed
      }),
    addAudit: (decide) =>
      write('store the audit trail', function* () {
        // Before the last entry is read: two processes must not go on from the same.
        yield* lock(database, 'audit')
        const rows = decide(yield* one<AuditRow>(sql.lastAudit))
        yield* runEach(sql.addAudit, rows.map(auditValues))
      }),
    audit: ({ before, limit }) => read('read the audit trail', () => all<AuditRow>(sql.audit, before, limit)),
    answer: (name) => read('read a stored response', () => one<AnswerRow>(sql.answer, name)),
    keepAnswer: (row, olderThan) =>
      write('store a response', function* () {
        yield* lock(database, 'answer', row.name)
        yield* changeRows(sql.dropAnswers, olderThan)
        yield* keep(row)
      }),
    changeAnswer: (name, decide, olderThan) =>
      write('change a stored response', function* () {
        // By its name: what is not there yet cannot be held by a row.
        yield* lock(database, 'answer', name)
        const row = yield* one<AnswerRow>(sql.answer, name)
        const changed = decide(row)
        yield* changeRows(sql.dropAnswers, olderThan)
        if (changed === null) yield* changeRows(sql.dropAnswer, name)
        else if (changed !== undefined && changed !== row) yield* keep(changed)
        return row
      }),
  }
}

function keep({ name, request, status, body, at }: AnswerRow): Program<unknown> {
  return changeRows(sql.keepAnswer, name, request, status, body, at)
}

function auditValues(row: AuditRow): readonly unknown[] {
  const { number, at, keyId, action, scope, status, ids, digest, chain } = row
  return [number, at, keyId, action, scope, status, ids, digest, chain]
}
