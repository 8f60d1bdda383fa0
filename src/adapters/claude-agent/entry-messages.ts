import { hash } from 'node:crypto'
import type { SessionStoreEntry } from '@anthropic-ai/claude-agent-sdk'
import { readClaudeRecord } from '../../dialects/anthropic/read-claude-record.ts'
import { CallNames } from '../../dialects/canonical/call-names.ts'
import type { JSONObject } from '../../domain/json.ts'
import { type KeptEntry, keptEntry } from '../entries/kept-entry.ts'

/** Entries as messages, each id once. What JSON does not have, such as a field without a value, is left out. */
export function entryMessages(host: string, entries: readonly SessionStoreEntry[]): readonly KeptEntry[] {
  const names = new CallNames()
  const seen = new Set<string>()
  return entries.flatMap((given, index) => {
    const id = entryId(entries, index)
    if (seen.has(id)) return []
    seen.add(id)
    const entry = JSON.parse(JSON.stringify(given)) as JSONObject
    const time = Date.parse(given.timestamp ?? '')
    const at = Number.isNaN(time) ? undefined : new Date(time).toISOString()
    return [keptEntry(host, { id, entry, drafts: readClaudeRecord(entry, names, at).drafts })]
  })
}

/**
 * The id of an entry: its `uuid`. An entry without one is named by the entry before it and its content, so that a batch that is sent
 * again stores nothing twice. In a batch where no entry has a `uuid`, each is new.
 */
function entryId(entries: readonly SessionStoreEntry[], index: number): string {
  const { uuid } = entries[index] ?? {}
  if (uuid !== undefined) return uuid
  const before = entries.slice(0, index)
  const near = before.findLast((entry) => entry.uuid !== undefined) ?? entries.find((entry) => entry.uuid !== undefined)
  if (near?.uuid === undefined) return crypto.randomUUID()
  const same = JSON.stringify(entries[index])
  const times = before.filter((entry) => entry.uuid === undefined && JSON.stringify(entry) === same).length
  return `${near.uuid}+${hash('sha256', same).slice(0, 16)}${times === 0 ? '' : `-${times}`}`
}
