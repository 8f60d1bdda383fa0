import type { JSX } from 'preact'
import type { AuditEntry } from '../../../domain/audit.ts'
import { useReading } from '../../data/use-reading.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

/** Every write through the server, newest first. */
export function AuditTab(): JSX.Element {
  const { data, failure } = useReading<{ readonly entries: readonly AuditEntry[] }>('/v1/audit?limit=200')
  if (failure !== undefined && data === undefined) return <Failed failure={failure} />
  if (data === undefined) return <Skeleton rows={4} />
  if (data.entries.length === 0)
    return (
      <Empty title="Nothing was written through this server yet.">
        <p>Each write is listed here with its key, in a chain that shows if an entry was changed or removed.</p>
      </Empty>
    )
  return (
    <div class="sheet scrolls" tabIndex={0} role="region" aria-label="Audit trail">
      <table class="table">
        <thead>
          <tr>
            <th class="num">Number</th>
            <th>When</th>
            <th>What</th>
            <th>Scope</th>
            <th>Of</th>
            <th>Key</th>
            <th class="num">Status</th>
          </tr>
        </thead>
        <tbody>
          {data.entries.map(({ number, at, action, scope, ids, key, status }) => (
            <tr key={number}>
              <td class="num">{written.number(number)}</td>
              <td title={written.moment(at)}>
                {written.day(at)}, {written.seconds(at)}
              </td>
              <td>{action}</td>
              <td>
                <PlainText text={scope ?? 'the whole memory'} />
              </td>
              <td class="wraps">
                <PlainText text={ids.slice(0, 4).join(', ') + (ids.length > 4 ? ` and ${ids.length - 4} more` : '')} />
              </td>
              <td class="wraps">
                <code>{key ?? 'none'}</code>
              </td>
              <td class={`num${status >= 400 ? ' bad-text' : ''}`}>{status}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
