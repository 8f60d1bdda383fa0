import type { JSX } from 'preact'
import type { MemoryStats } from '../../../api/upkeep.ts'
import { useReading } from '../../data/use-reading.ts'
import { Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'

const AGAIN_MS = 5_000

/** Whether the server takes writes, and how much is stored. */
export function HealthTab(): JSX.Element {
  const ready = useReading<{ readonly status: string }>('/readyz', { everyMs: AGAIN_MS })
  const { data, failure } = useReading<MemoryStats>('/v1/stats')
  if (failure !== undefined && data === undefined) return <Failed failure={failure} />
  if (data === undefined) return <Skeleton rows={3} />
  const rows: readonly (readonly [string, string])[] = [
    ['Server', ready.data?.status ?? 'does not respond'],
    ['Database', data.store],
    ['Version of the schema', written.number(data.schemaVersion)],
    ['Size', written.bytes(data.bytes)],
    ['Sessions', written.number(data.sessions)],
    ['Messages', written.number(data.messages)],
    ['Facts', written.number(data.facts)],
    ['Search by meaning', data.vectorSearch === 'process' ? 'in the memory of the server' : data.vectorSearch],
  ]
  return (
    <div class="sheet ruled">
      {rows.map(([name, value]) => (
        <div class="line" key={name}>
          <div class="side" />
          <div class="main">
            <b>{name}</b>
            <div>{value}</div>
          </div>
        </div>
      ))}
    </div>
  )
}
