import type { JSX } from 'preact'
import type { ListedCompaction } from '../../../api/contexts.ts'
import { endpoints } from '../../data/endpoints.ts'
import { useReading } from '../../data/use-reading.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import type { SessionTabProps } from '../session-view.tsx'

/** The compactions of a session, newest first, with what each of them saved. */
export function CompactionsTab({ scope, session }: SessionTabProps): JSX.Element {
  const reading = useReading<{ readonly compactions: readonly ListedCompaction[] }>(
    endpoints.session(scope, session, 'compactions'),
  )
  if (reading.failure !== undefined && reading.data === undefined)
    return (
      <div class="body">
        <Failed failure={reading.failure} />
      </div>
    )
  if (reading.data === undefined)
    return (
      <div class="body">
        <Skeleton rows={3} />
      </div>
    )
  const { compactions } = reading.data
  if (compactions.length === 0)
    return (
      <div class="body">
        <Empty title="Nothing was compacted yet.">
          <p>
            A context or <code>compact()</code> folds old messages when the window passes its high mark. The log keeps
            them.
          </p>
        </Empty>
      </div>
    )
  return (
    <div class="body">
      <div class="sheet scrolls" tabIndex={0} role="region" aria-label="Compactions">
        <table class="table">
          <thead>
            <tr>
              <th class="num">Number</th>
              <th>When</th>
              <th>Policy</th>
              <th>For</th>
              <th class="num">Messages through</th>
              <th class="num">Tokens before</th>
              <th class="num">After</th>
              <th class="num">Folds</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {compactions.map(({ compaction, at, policy, of, room, through, before, after, folds, undone }) => (
              <tr key={compaction} class={undone ? 'is-closed' : ''}>
                <td class="num">{compaction}</td>
                <td title={written.moment(at)}>
                  {written.day(at)}, {written.time(at)}
                </td>
                <td>
                  <PlainText text={policy} />
                </td>
                <td>{of === 'session' ? 'every context' : `contexts up to ${written.number(room ?? 0)} tokens`}</td>
                <td class="num">{written.number(through)}</td>
                <td class="num">{written.number(before.tokens)}</td>
                <td class="num">{written.number(after.tokens)}</td>
                <td class="num">{written.number(folds.length)}</td>
                <td>{undone ? 'undone' : 'in effect'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
