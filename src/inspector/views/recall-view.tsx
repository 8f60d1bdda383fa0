import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RecallOptions, Recalled } from '../../api/recall.ts'
import { endpoints } from '../data/endpoints.ts'
import { addressOf, goTo, shownPlace } from '../data/place.ts'
import { shownScope } from '../data/scopes.ts'
import { useReading } from '../data/use-reading.ts'
import { Icon } from '../parts/icon.tsx'
import { Empty, Failed, Skeleton } from '../parts/notices.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DroppedTable } from './recall/dropped-table.tsx'
import { written } from '../parts/numbers.ts'
import { expectations, saveExpectations } from './recall/expectations.ts'
import { HitList } from './recall/hit-list.tsx'
import { RecallKnobs, recallDefaults } from './recall/recall-knobs.tsx'

/** Ask as an agent would, and see why each hit was found and what was left out. */
export function RecallView(): JSX.Element {
  const scope = shownScope.value
  const question = shownPlace.value.query.get('q') ?? ''
  const [options, setOptions] = useState<RecallOptions>(recallDefaults)
  const asked = scope !== null && question !== ''
  const reading = useReading<Recalled>(asked ? endpoints.scope(scope, 'recall') : null, {
    body: { ...options, query: question },
  })
  return (
    <>
      <PageHead title="Recall" about="Ask as an agent would. Nothing you do here is stored or learned." />
      <Ask question={question} scope={scope} />
      <div class="body with-side">
        <div class="stacked">
          {!asked ? (
            <Empty title="Ask a question.">
              <p>
                Each answer shows its source and what each reason added to its score. What was left out is listed with
                why.
              </p>
            </Empty>
          ) : reading.failure !== undefined && reading.data === undefined ? (
            <Failed failure={reading.failure} />
          ) : reading.data === undefined ? (
            <Skeleton rows={3} />
          ) : (
            <>
              <HitList recalled={reading.data} asked={{ scope, query: question, options }} budget={options.budget} />
              <SavedExpectations />
              {options.explain === true && <DroppedTable dropped={reading.data.dropped} />}
            </>
          )}
        </div>
        <RecallKnobs options={options} onChange={setOptions} />
      </div>
    </>
  )
}

/** What was marked so far, to be kept as a file. */
function SavedExpectations(): JSX.Element | null {
  const count = expectations.value.length
  if (count === 0) return null
  return (
    <section class="card row wrap" aria-label="Expectations">
      <p class="grow">
        {written.count(count, 'question')} with expected answers. <code>daybook bench recall expectations.jsonl</code>{' '}
        checks them.
      </p>
      <button type="button" class="btn" onClick={saveExpectations}>
        Download
      </button>
    </section>
  )
}

function Ask({ question, scope }: { readonly question: string; readonly scope: string | null }): JSX.Element {
  const [typed, setTyped] = useState(question)
  useEffect(() => setTyped(question), [question])
  return (
    <form
      class="ask"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        goTo(addressOf('/recall', { scope, q: typed.trim() }))
      }}
    >
      <input
        class="input"
        type="text"
        data-first-field
        aria-label="Question"
        placeholder="What does the memory say about …"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="btn is-primary" disabled={typed.trim() === '' || scope === null}>
        Ask <Icon name="enter" size={14} />
      </button>
    </form>
  )
}
