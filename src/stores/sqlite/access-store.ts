import type { AccessStore, AnswerRow, AuditRow, KeyRow } from '../../ports/access-store.ts'
import { accessStatements as sql } from '../sql/access-statements.ts'
import type { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import type { WriteQueue } from './write-queue.ts'

/** Keys, the audit trail and kept answers in the memory's own file. */
export function accessStore(connection: Connection, queue: WriteQueue): AccessStore {
  const read = <Row>(attempt: string, run: () => Row): Promise<Row> =>
    patiently(attempt, run, (error) => connection.noticeFailure(error))
  const keyById = (id: string): KeyRow | undefined => connection.statement(sql.keyById).get(id) as KeyRow | undefined
  return {
    addKey: (row) =>
      queue.write('store a key', () => {
        const { id, name, scope, can, hash, createdAt, expiresAt, revokedAt, lastUsedAt } = row
        connection.statement(sql.addKey).run(id, name, scope, can, hash, createdAt, expiresAt, revokedAt, lastUsedAt)
      }),
    keyById: (id) => read('read a key', () => keyById(id)),
    keys: () => read('list keys', () => connection.statement(sql.keys).all() as readonly KeyRow[]),
    updateKey: (id, change) =>
      queue.write('change a key', () => {
        const row = keyById(id)
        if (row === undefined) return undefined
        const changed = change(row)
        connection.statement(sql.updateKey).run(changed.revokedAt, changed.lastUsedAt, id)
        return changed
      }),
    addAudit: (decide) =>
      queue.write('store the audit trail', () => {
        for (const row of decide(connection.statement(sql.lastAudit).get() as AuditRow | undefined)) {
          const { number, at, keyId, action, scope, status, ids, digest, chain } = row
          connection.statement(sql.addAudit).run(number, at, keyId, action, scope, status, ids, digest, chain)
        }
      }),
    audit: ({ before, limit }) =>
      read('read the audit trail', () => connection.statement(sql.audit).all(before, limit) as readonly AuditRow[]),
    answer: (name) => read('read an answer', () => connection.statement(sql.answer).get(name) as AnswerRow | undefined),
    keepAnswer: (row, olderThan) =>
      queue.write('keep an answer', () => {
        connection.statement(sql.dropAnswers).run(olderThan)
        if (row === null) return
        const { name, request, status, body, at } = row
        connection.statement(sql.keepAnswer).run(name, request, status, body, at)
      }),
  }
}
