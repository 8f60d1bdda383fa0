import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import type { ForgetRequest } from './carry-out.ts'

/** A receipt of nothing yet. */
export function emptyReceipt({ id, scope, at }: ForgetRequest, reason: string): ForgetReceipt {
  const none = { messages: 0, revisions: 0, folds: 0, facts: 0, versions: 0, sources: 0, entities: 0, proposals: 0 }
  const derived = {
    passages: 0,
    terms: 0,
    vectors: 0,
    blobs: 0,
    operations: 0,
    jobs: 0,
    state: 0,
    answers: 0,
    keys: 0,
    bytes: 0,
  }
  return {
    id,
    scope,
    at: new Date(at).toISOString(),
    reason,
    dryRun: false,
    found: true,
    sessions: [],
    ...none,
    ...derived,
    ids: [],
    remaining: 0,
    pending: [],
  }
}

/** Two receipts as one: counts added, names joined. */
export function sumReceipts(a: ForgetReceipt, b: ForgetReceipt): ForgetReceipt {
  const counts = Object.entries(b).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value + Number(a[name as keyof ForgetReceipt])]] : [],
  )
  return {
    ...a,
    ...(Object.fromEntries(counts) as object),
    sessions: [...new Set([...a.sessions, ...b.sessions])],
    ids: [...a.ids, ...b.ids],
    pending: [...new Set([...a.pending, ...b.pending])],
  }
}
