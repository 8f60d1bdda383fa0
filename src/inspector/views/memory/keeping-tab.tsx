import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { EffectiveRetention } from '../../../api/facts.ts'
import { endpoints } from '../../data/endpoints.ts'
import { shownScope } from '../../data/scopes.ts'
import { mayDo } from '../../data/signed-in.ts'
import { useReading } from '../../data/use-reading.ts'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { RetentionForm } from './retention-form.tsx'
import { ForgetDialog } from '../../parts/forget-dialog.tsx'

/** How long messages are kept, a copy of everything, and what is destroyed on request. */
export function KeepingTab(): JSX.Element {
  const scope = shownScope.value
  const path = scope === null ? null : endpoints.scope(scope, 'retention')
  const { data, failure } = useReading<{ readonly retention: EffectiveRetention | null }>(path)
  if (scope === null)
    return (
      <Empty title="Nothing has been written yet.">
        <p>There is nothing to keep, to export or to forget.</p>
      </Empty>
    )
  if (failure !== undefined && data === undefined) return <Failed failure={failure} />
  if (data === undefined) return <Skeleton rows={2} />
  return (
    <div class="stacked">
      <section class="card">
        <h2>
          Retention in <PlainText text={scope} />
        </h2>
        <p class="words">{retentionText(data.retention)}</p>
        {mayDo('write') && <RetentionForm key={scope} scope={scope} retention={data.retention} />}
      </section>
      <section class="card">
        <h2>Export</h2>
        <p class="words">Everything in this scope and below, as one archive. Importing it gives the same memory.</p>
        <p class="after-words">
          <a class="btn" href={endpoints.scope(scope, 'archive')} download="daybook.jsonl">
            Download the archive
          </a>
        </p>
      </section>
      {mayDo('write') && <ForgetForm scope={scope} />}
    </div>
  )
}

function retentionText(retention: EffectiveRetention | null): string {
  if (retention === null) return 'Everything is kept.'
  const { days, messages } = retention.policy
  const rules = [
    ...(days === undefined ? [] : [`${written.count(days, 'day')}`]),
    ...(messages === undefined ? [] : [`the newest ${written.count(messages, 'message')} of each session`]),
  ]
  return rules.length === 0
    ? `Everything is kept. ${retention.from} says so.`
    : `Messages are kept for ${rules.join(' and ')}, then forgotten. ${retention.from} says so.`
}

function ForgetForm({ scope }: { readonly scope: string }): JSX.Element {
  const [session, setSession] = useState('')
  const [open, setOpen] = useState(false)
  return (
    <section class="card">
      <h2>Forget a session</h2>
      <p class="words">
        Destroys it everywhere: revisions, summaries, what only it taught, and the search index. A dry run comes first.
      </p>
      <div class="row wrap after-words">
        <input
          class="input"
          aria-label="Name of the session"
          placeholder="name of the session"
          value={session}
          onInput={(event) => setSession(event.currentTarget.value)}
        />
        <button type="button" class="btn is-danger" disabled={session === ''} onClick={() => setOpen(true)}>
          Forget …
        </button>
      </div>
      {open && (
        <ForgetDialog
          scope={scope}
          what={{ session }}
          title={`session ${session}`}
          name={session}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
