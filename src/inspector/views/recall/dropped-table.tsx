import type { JSX } from 'preact'
import type { DropReason, Dropped } from '../../../api/recall.ts'
import { addressOf } from '../../data/place.ts'
import { PlainText } from '../../parts/plain-text.tsx'

const SHOWN_MAX = 100

const reasons: Readonly<Record<DropReason, readonly [word: string, meaning: string]>> = {
  'below-line': ['below the line', 'only its surroundings match'],
  'below-limit': ['below the limit', 'others were better'],
  'over-budget': ['over budget', 'it did not fit'],
  duplicate: ['duplicate', 'a hit says nearly the same'],
  'other-role': ['other role', 'a system prompt, or a role that was not asked for'],
  'other-time': ['other time', 'outside of the dates you set'],
  'already-shown': ['already shown', 'the context has it anyway'],
  'not-yet-known': ['not yet known', 'it came later than the date you set'],
  removed: ['removed', 'it was taken out since it was indexed'],
  quarantined: ['quarantined', 'from a source that nobody endorsed'],
  superseded: ['superseded', 'a later fact took its place'],
  'not-true-then': ['not true then', 'it was not valid on the date you set'],
}

/** What was considered and left out, and why. */
export function DroppedTable({ dropped }: { readonly dropped: readonly Dropped[] }): JSX.Element | null {
  if (dropped.length === 0) return null
  return (
    <section class="sheet scrolls" tabIndex={0} aria-label="Considered and left out">
      <h2 class="table-title">Considered and left out</h2>
      <table class="table">
        <thead>
          <tr>
            <th class="num">Score</th>
            <th>What</th>
            <th>Where</th>
            <th>Left out because</th>
          </tr>
        </thead>
        <tbody>
          {dropped.slice(0, SHOWN_MAX).map(({ kind, source, score, reason }, index) => (
            <tr key={index}>
              <td class="num">{score.toFixed(2)}</td>
              <td>{kind}</td>
              <td>
                {source.session === null ? (
                  <a href={addressOf('/knowledge', { scope: source.scope, fact: source.id })}>the fact</a>
                ) : (
                  <a href={addressOf('/session', { scope: source.scope, id: source.session, seq: source.seq })}>
                    <PlainText text={source.session} />, message {source.seq}
                  </a>
                )}
              </td>
              <td>
                <b>{reasons[reason][0]}</b>: {reasons[reason][1]}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {dropped.length > SHOWN_MAX && <p class="dim table-title">and {dropped.length - SHOWN_MAX} more</p>}
    </section>
  )
}
