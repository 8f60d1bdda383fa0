import { roles } from '../domain/message.ts'
import { checkId } from '../domain/names.ts'
import { isForgotten } from '../log/forgotten.ts'
import type { ArchiveRow } from '../ports/archive-store.ts'
import type { AmendmentRow, MessageRow } from '../ports/log-store.ts'
import { damaged } from './damaged.ts'
import type { LogEntry } from './log-step.ts'

/** Who a session is, as an archive says it. */
export interface ImportedSession {
  readonly scope: string
  readonly name: string
  readonly description: string | null
  readonly createdAt: number
  readonly genesis: Uint8Array
  readonly parent: {
    readonly name: string
    readonly throughSeq: number
    readonly throughVersion: number
    readonly link: Uint8Array
  } | null
}

const amendmentKinds: readonly AmendmentRow['kind'][] = [
  'revise',
  'remove',
  'clear',
  'clear-keeping-system',
  'compact',
  'undo',
  'forget',
]

export function importedSession(line: number, row: ArchiveRow): ImportedSession {
  const { scope, name, description, createdAt, genesis } = row as unknown as ImportedSession
  const { parentName, parentSeq, parentVersion, parentLink } = row
  checkName(line, 'session', name)
  const given = [parentName, parentSeq, parentVersion, parentLink].filter((value) => value !== null).length
  if (given !== 0 && given !== 4) throw damaged(line, 'an incomplete origin', 'all of it or none', 'session')
  const parent =
    typeof parentName === 'string' && parentLink instanceof Uint8Array
      ? { name: parentName, throughSeq: Number(parentSeq), throughVersion: Number(parentVersion), link: parentLink }
      : null
  return { scope, name, description, createdAt, genesis, parent }
}

/** A row of the log. Its digest is checked by whoever puts it behind the others. */
export function importedEntry(line: number, kind: LogEntry['kind'], row: ArchiveRow): LogEntry {
  if (kind === 'message') {
    const message = row as unknown as MessageRow
    checkName(line, kind, message.id)
    if (!roles.includes(message.role)) throw damaged(line, `role ${JSON.stringify(message.role)}`, 'a known role', kind)
    if (isForgotten(message)) {
      if (message.body !== '') throw damaged(line, 'a tombstone with content', 'an empty body', kind)
    } else if (!Array.isArray(parsed(line, kind, message.body)['parts']))
      throw damaged(line, 'a body without parts', 'the parts of a message', kind)
    return { kind, row: message }
  }
  const amendment = row as unknown as AmendmentRow
  if (!amendmentKinds.includes(amendment.kind))
    throw damaged(line, `an amendment that is a ${JSON.stringify(amendment.kind)}`, amendmentKinds.join(', '), kind)
  if (amendment.body !== '') parsed(line, kind, amendment.body)
  return { kind, row: amendment }
}

function checkName(line: number, kind: string, name: unknown): void {
  try {
    checkId('import', kind, name)
  } catch (error) {
    throw damaged(line, error instanceof Error ? error.message : String(error), 'an id', kind)
  }
}

function parsed(line: number, kind: string, body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // said below
  }
  throw damaged(line, 'a body that is not a JSON object', 'what was said', kind)
}
