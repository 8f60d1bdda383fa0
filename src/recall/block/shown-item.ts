import type { Trust } from '../../domain/trust.ts'
import type { LongTermItem } from './long-term-item.ts'

/** What recall found, as far as it is shown to an agent. */
export interface RecalledItem {
  readonly kind: string
  readonly text: string
  readonly speaker?: string
  /** ISO 8601. */
  readonly at: string
  readonly trust: number
  readonly source: { readonly session?: string | null; readonly seq?: number | null; readonly id: string }
}

export function shownItem({ kind, text, speaker, at, trust, source }: RecalledItem): LongTermItem {
  return { id: idOf(kind, source), speaker: speaker ?? kind, at, trust: toTrust(trust), text }
}

/** Short, because it is sent with every line. A message is named by its session and number, a fold by its session and id. */
function idOf(kind: string, { id, session, seq }: RecalledItem['source']): string {
  if (kind === 'fact') return ''
  if (session == null) return id
  return kind === 'message' && seq != null ? `${session}#${seq}` : `${session}#${id}`
}

/** What no one vouched for is not trusted. */
function toTrust(value: number): Trust {
  return value === 1 || value === 2 || value === 3 ? value : 0
}
