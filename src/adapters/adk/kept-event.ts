import type { Event } from '@google/adk'
import { readGemini } from '../../dialects/gemini/read.ts'
import { plainReading } from '../../dialects/canonical/plain-reading.ts'
import type { JSONObject } from '../../domain/json.ts'
import { type KeptEntry, keptEntry } from '../entries/kept-entry.ts'

/** The name that events are kept under. */
export const ADK = 'adk'

/** An event as messages: what its content says, and the event itself. What was only for this run (`temp:`) is left out. */
export function keptEvent(event: Event, id: string = event.id): KeptEntry {
  const stateDelta = Object.entries(event.actions?.stateDelta ?? {}).filter(([key]) => !key.startsWith('temp:'))
  const trimmed =
    event.actions === undefined ? {} : { actions: { ...event.actions, stateDelta: Object.fromEntries(stateDelta) } }
  const entry = JSON.parse(JSON.stringify({ ...event, ...trimmed })) as JSONObject
  const said = entry['content'] === undefined ? [] : (readGemini([entry['content']], plainReading) ?? [])
  const at = Number.isFinite(event.timestamp) ? { at: new Date(event.timestamp).toISOString() } : {}
  const name = event.author === undefined || event.author === 'user' ? {} : { name: event.author }
  const drafts = said.filter(({ parts }) => parts.length > 0).map((draft) => ({ ...draft, ...at, ...name }))
  return keptEntry(ADK, { id, entry, drafts })
}
