import type { SessionStats } from '../api/sessions.ts'
import type { Message, Role } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import type { LogStore } from '../ports/log-store.ts'
import type { Address } from './log.ts'
import { scan } from './scan.ts'
import { openView } from './view.ts'

/** Reads the whole session, in pages: for people and dashboards, not for every turn. */
export async function stats(store: LogStore, address: Address, asOf?: Moment): Promise<SessionStats> {
  const view = await openView(store, address, asOf)
  const byRole: Record<Role, number> = { system: 0, user: 0, assistant: 0, tool: 0 }
  const figures = { messages: 0, live: 0, tokens: 0, toolCalls: 0, revisions: 0 }
  let first: Message | undefined
  let last: Message | undefined
  for await (const message of view === undefined
    ? []
    : scan(store, view, { from: 1, through: view.lastSeq, newestFirst: false, withRemoved: true })) {
    first ??= message
    last = message
    figures.messages += 1
    figures.revisions += message.revision
    if (message.removed === true) continue
    figures.live += 1
    figures.tokens += message.tokens
    byRole[message.role] += 1
    figures.toolCalls += message.parts.filter((part) => part.type === 'tool-call').length
  }
  return {
    ...figures,
    byRole,
    version: view?.version ?? 0,
    firstAt: first?.at ?? null,
    lastAt: last?.at ?? null,
  }
}
