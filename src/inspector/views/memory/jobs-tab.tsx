import type { JSX } from 'preact'
import type { Job } from '../../../domain/job.ts'
import { endpoints } from '../../data/endpoints.ts'
import { sendWrite } from '../../data/request.ts'
import { shownScope } from '../../data/scopes.ts'
import { mayDo, ownKey } from '../../data/signed-in.ts'
import { useReading } from '../../data/use-reading.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'

const AGAIN_MS = 3_000

/** Background work, newest first. */
export function JobsTab(): JSX.Element {
  const scope = shownScope.value
  const all = ownKey.value?.scope === null
  const path = all ? '/v1/jobs' : scope === null ? null : endpoints.scope(scope, 'jobs')
  const { data, failure } = useReading<{ readonly jobs: readonly Job[] }>(path, { everyMs: AGAIN_MS })
  if (failure !== undefined && data === undefined) return <Failed failure={failure} />
  if (data === undefined) return <Skeleton rows={3} />
  if (data.jobs.length === 0)
    return (
      <Empty title="No background work.">
        <p>Learning, embedding and forgetting run as jobs. They are listed here while they run and after.</p>
      </Empty>
    )
  return (
    <div class="sheet scrolls" tabIndex={0} role="region" aria-label="Jobs">
      <table class="table">
        <thead>
          <tr>
            <th>Kind</th>
            <th>Scope</th>
            <th>About</th>
            <th>State</th>
            <th class="num">Attempts</th>
            <th>Changed</th>
            <th>Error</th>
            {mayDo('admin') && <th>Change</th>}
          </tr>
        </thead>
        <tbody>
          {data.jobs.map(({ id, kind, scope: owner, subject, state, attempts, updatedAt, error }) => (
            <tr key={id} class={state === 'done' ? 'is-closed' : ''}>
              <td>{kind}</td>
              <td>
                <PlainText text={owner} />
              </td>
              <td>
                <PlainText text={subject} />
              </td>
              <td class={state === 'failed' ? 'bad-text' : ''}>{state}</td>
              <td class="num">{attempts}</td>
              <td title={written.moment(updatedAt)}>{written.ago(updatedAt)}</td>
              <td>
                <PlainText text={error?.slice(0, 200) ?? ''} />
              </td>
              {mayDo('admin') && (
                <td>
                  {(state === 'failed' || state === 'waiting' || state === 'cancelled') && (
                    <ActionButton run={() => sendWrite(`/v1/jobs/${encodeURIComponent(id)}/retry`, { method: 'POST' })}>
                      Run now
                    </ActionButton>
                  )}{' '}
                  {(state === 'waiting' || state === 'running') && (
                    <ActionButton
                      run={() => sendWrite(`/v1/jobs/${encodeURIComponent(id)}/cancel`, { method: 'POST' })}
                    >
                      Cancel
                    </ActionButton>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
