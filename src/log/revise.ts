import { checkOptions } from '../domain/check-options.ts'
import { MemoryError } from '../domain/error.ts'
import type { Message } from '../domain/message.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { refuse } from '../domain/refuse.ts'
import type { Facts } from '../ports/log-store.ts'
import { amend } from './amend.ts'
import { get } from './get.ts'
import type { Address, Log } from './log.ts'
import { messageFromRow } from './message-from-row.ts'
import { type Prepared, namedBlobs, prepare } from './prepare.ts'

/** What may be changed. What is left out stays; `null` takes it away. */
export type Revision = {
  readonly [Key in 'content' | 'parts' | 'data' | 'images' | 'toolCalls' | 'agentCalls']?: NewMessage[Key]
} & { readonly [Key in 'name' | 'tags' | 'metadata' | 'provider']?: NewMessage[Key] | null }

const revisable = [
  'content',
  'parts',
  'data',
  'images',
  'toolCalls',
  'agentCalls',
  'name',
  'tags',
  'metadata',
  'provider',
]
const contentKeys = revisable.slice(0, 6)

/**
 * Gives a message new content under the same id and place. The earlier revision stays in the log and is read with `asOf`.
 *
 * @throws {MemoryError} `log/not-found` if the session has no message of that id.
 */
export async function revise(log: Log, address: Address, id: string, patch: Revision): Promise<Message> {
  checkOptions('revise', patch, revisable, 'field')
  if (Object.keys(patch).length === 0) refuse('revise', 'patch', patch, 'at least one field to change')
  const snapshot = structuredClone(patch)
  // Counting tokens may wait, so it happens outside the transaction; if another revision came first, start over from it.
  for (;;) {
    const current = await get(log.store, address, id)
    if (current === undefined) throw notFound(address, id)
    const [prepared] = await prepare(log, 'revise', [merge(current, snapshot)])
    const revised = await store(log, address, current, prepared as Prepared)
    if (revised !== undefined) return revised
  }
}

function merge(current: Message, patch: Revision): NewMessage {
  const { role, name, tags, metadata, provider } = current
  const kept = { name, tags, metadata, provider }
  const changed = Object.fromEntries(
    Object.entries({ ...kept, ...patch }).filter(([, value]) => value !== null && value !== undefined),
  )
  if (!contentKeys.some((key) => key in patch)) return { ...changed, role, parts: current.parts }
  const result = current.parts.find((part) => part.type === 'tool-result')
  // New text for a tool message is the new output of the same call.
  const toolCallId = role === 'tool' && result?.callId !== undefined ? { toolCallId: result.callId } : {}
  return { ...changed, ...toolCallId, role }
}

async function store(log: Log, address: Address, before: Message, prepared: Prepared): Promise<Message | undefined> {
  return log.store.change<Message | undefined>({
    ...address,
    questions: { ids: [before.id], callIds: [], blobs: namedBlobs([prepared]) },
    decide: (facts: Facts) => {
      const found = facts.messages.get(before.id)
      if (facts.session === undefined || found === undefined) throw notFound(address, before.id)
      if (messageFromRow(found.row, found.amendments).revision !== before.revision) return { answer: undefined }
      for (const hash of namedBlobs([prepared]))
        if (!facts.blobs.has(hash)) refuse('revise', 'hash', hash, 'a blob of this scope')
      const decision = amend(
        log,
        facts.session,
        { kind: 'revise', seq: before.seq, body: prepared.body, tokens: prepared.tokens },
        (row) => messageFromRow(found.row, [...found.amendments, row]),
      )
      return { ...decision, write: { ...decision.write, blobs: prepared.blobs } }
    },
  })
}

function notFound(address: Address, id: string): MemoryError {
  return new MemoryError(
    'log/not-found',
    `Cannot revise message ${JSON.stringify(id)}: session ${JSON.stringify(address.session)} has no such message`,
    { id, ...address },
  )
}
