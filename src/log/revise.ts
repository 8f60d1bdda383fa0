import type { Revision } from '../api/messages.ts'
import { copyPlain } from '../domain/copy-plain.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import { refuse } from '../domain/refuse.ts'
import type { LogFindings, MessageRow } from '../ports/log-store.ts'
import { amend } from './amend.ts'
import { readBody } from './body.ts'
import { dropPieces } from './drop-pieces.ts'
import { get } from './get.ts'
import type { Address, Log } from './log.ts'
import { messageFromRow } from './message-from-row.ts'
import { type PreparedMessage, checkBlobs, namedBlobs, prepare } from './prepare.ts'
import { revised } from './revised.ts'
import { toolLinks } from './tool-links.ts'

/**
 * Gives a message new content under the same id and place. The earlier revision stays in the log and is read with `asOf`.
 *
 * @throws {MemoryError} `log/not-found` if the session has no message with this id.
 */
export async function revise(log: Log, address: Address, id: string, patch: Revision): Promise<Message> {
  if (Object.keys(patch).length === 0) refuse('revise', 'patch', patch, 'at least one field to change')
  const snapshot = copyPlain(patch) as Revision
  await log.order.after(address, Promise.resolve())
  // Counting tokens may wait, so it happens outside the transaction; if another revision came first, start over from it.
  for (;;) {
    const current = await get(log.store, address, id)
    if (current === undefined) throw notFound(address, id)
    const [prepared] = await prepare(log, 'revise', [revised(current, snapshot)], current.imported)
    const stored = await store(log, address, current, prepared as PreparedMessage)
    if (stored === undefined) continue
    await dropPieces(log, address, [current])
    return stored
  }
}

async function store(
  log: Log,
  address: Address,
  before: Message,
  prepared: PreparedMessage,
): Promise<Message | undefined> {
  return log.store.change<Message | undefined>({
    ...address,
    questions: { ids: [before.id], callIds: [], blobs: namedBlobs([prepared]) },
    decide: (findings: LogFindings) => {
      const found = findings.messages.get(before.id)
      if (findings.session === undefined || found === undefined) throw notFound(address, before.id)
      if (messageFromRow(found.row, found.amendments).revision !== before.revision) return { answer: undefined }
      checkBlobs('revise', [prepared], findings)
      checkCallIds(found.row, prepared)
      const decision = amend(
        log,
        findings.session,
        { kind: 'revise', seq: before.seq, body: prepared.body, tokens: prepared.tokens },
        (row) => messageFromRow(found.row, [...found.amendments, row]),
      )
      return { ...decision, write: { ...decision.write, blobs: prepared.blobs } }
    },
  })
}

/** Results are joined to calls by id, also those that are to come: a revision may take calls away, not make new ones. */
function checkCallIds(row: MessageRow, prepared: PreparedMessage): void {
  const before = new Set(toolLinks(0, readBody(row.body).parts).map((link) => link.callId))
  for (const { callId } of toolLinks(0, prepared.parts)) {
    if (!before.has(callId))
      refuse('revise', 'call id', callId, 'one that the message had: append a new message for a new call')
  }
}

function notFound(address: Address, id: string): MemoryError {
  const where = `session ${JSON.stringify(address.session)}`
  return new MemoryError(
    'log/not-found',
    `Cannot revise: ${where} has no message ${JSON.stringify(id)}, expected the id of a stored one`,
    {
      id,
      ...address,
    },
  )
}
