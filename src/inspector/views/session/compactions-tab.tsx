import type { JSX } from 'preact'
import type { ListedCompaction } from '../../../api/contexts.ts'
import { endpoints } from '../../data/endpoints.ts'
import { sendWrite } from '../../data/request.ts'
import { mayDo } from '../../data/signed-in.ts'
import { useReading } from '../../data/use-reading.ts'
import { ActionButton } from '../../parts/action-button.tsx'
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
    <div class="body stacked">
      <p class="words">{savedWords(compactions)}</p>
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
              <th>Change</th>
            </tr>
          </thead>
          <tbody>
            {compactions.map((listed) => (
              <CompactionRow key={listed.compaction} listed={listed} path={endpoints.session(scope, session, 'undo')} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

interface CompactionRowProps {
  readonly listed: ListedCompaction
  /** Where to undo it. */
  readonly path: string
}

function CompactionRow({ listed, path }: CompactionRowProps): JSX.Element {
  const { compaction, at, policy, of, room, through, before, after, folds, undone } = listed
  return (
    <tr class={undone ? 'is-closed' : ''}>
      <td class="num">{compaction}</td>
      <td title={written.moment(at)}>
        {written.day(at)}, {written.time(at)}
      </td>
      <td>
        <PlainText text={policy} />
      </td>
      <td>{of === 'session' ? 'every context' : `contexts up to ${written.number(room ?? 0)} tokens`}</td>
      {[through, before.tokens, after.tokens, folds.length].map((value, index) => (
        <td key={index} class="num">
          {written.number(value)}
        </td>
      ))}
      <td>{undone ? 'undone' : 'in effect'}</td>
      <td>
        {!undone && mayDo('write') && (
          <ActionButton run={() => sendWrite(path, { body: { compaction } })}>Undo</ActionButton>
        )}
      </td>
    </tr>
  )
}

/** The newest compaction in a sentence. */
function savedWords(compactions: readonly ListedCompaction[]): string {
  const newest = compactions.find(({ undone }) => !undone)
  if (newest === undefined) return 'All of them were undone. The window has every message again.'
  const { through, before, after, folds } = newest
  return `The newest one folded messages up to ${written.number(through)}: ${written.number(before.tokens)} tokens became ${written.number(after.tokens)}, in ${written.count(folds.length, 'fold')}. The log keeps every message, and each compaction can be undone.`
}
