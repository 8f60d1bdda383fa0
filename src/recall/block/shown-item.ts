import type { Trust } from '../../domain/trust.ts'
import type { LongTermItem } from './long-term-item.ts'

/** What recall found, as far as it is shown to an agent. */
export interface RecalledItem {
  readonly kind: string
  readonly text: string
  /** ISO 8601. */
  readonly at: string
  readonly trust: number
  readonly source: { readonly session?: string | null; readonly seq?: number | null; readonly id: string }
}

export function shownItem({ kind, text, at, trust, source }: RecalledItem): LongTermItem {
  const { id, session, seq } = source
  const place = session == null ? '' : ` ${seq ?? ''} of session ${JSON.stringify(session)}`
  return { id, at, trust: toTrust(trust), source: `${kind}${place}`, text }
}

/** What no one vouched for is not trusted. */
function toTrust(value: number): Trust {
  return value === 1 || value === 2 || value === 3 ? value : 0
}
