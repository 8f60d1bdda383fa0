import type { JSX } from 'preact'
import type { SessionStats } from '../../../api/sessions.ts'
import { written } from '../../parts/numbers.ts'
import { AccountColumn } from './account-column.tsx'
import type { RowFold } from './row-model.ts'

const roles = ['system', 'user', 'assistant', 'tool'] as const

interface SessionAccountProps {
  readonly stats: SessionStats | undefined
  readonly folds: readonly RowFold[]
  /** Builds the next request, which may take a while. */
  readonly onBuild: () => void
}

/** What a session has, in words and then in numbers. */
export function SessionAccount({ stats, folds, onBuild }: SessionAccountProps): JSX.Element | null {
  if (stats === undefined) return null
  const folded = folds.reduce((sum, { messages }) => sum + messages, 0)
  return (
    <AccountColumn label="Account">
      <section class="card">
        <h2>The window</h2>
        <p class="words">
          {folded === 0 ? (
            <>
              All <b>{written.count(stats.live, 'live message')}</b> {stats.live === 1 ? 'is' : 'are'} in the window.
              Nothing was folded for all contexts.
            </>
          ) : (
            <>
              <b>{written.number(folded)}</b> of {written.count(stats.live, 'live message')} are folded into{' '}
              <b>{written.number(folds.length)}</b>, for every context.
            </>
          )}
        </p>
        <p class="after-words">
          <button type="button" class="btn" onClick={onBuild}>
            Build the next request
          </button>
        </p>
      </section>
      <section class="card">
        <h2>Live messages</h2>
        <table class="ledger">
          <tbody>
            {roles.map((role) => (
              <tr key={role}>
                <td>{role}</td>
                <td class="num">{written.number(stats.byRole[role])}</td>
              </tr>
            ))}
            <tr class="total">
              <td>Messages</td>
              <td class="num">{written.number(stats.live)}</td>
            </tr>
            <tr class="after">
              <td>Tokens, as stored</td>
              <td class="num">{written.number(stats.tokens)}</td>
            </tr>
            <tr class="after">
              <td>Removed from the window</td>
              <td class="num">{written.number(stats.messages - stats.live)}</td>
            </tr>
            <tr class="after">
              <td>Revisions</td>
              <td class="num">{written.number(stats.revisions)}</td>
            </tr>
          </tbody>
        </table>
      </section>
    </AccountColumn>
  )
}
