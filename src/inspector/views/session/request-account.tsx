import type { JSX } from 'preact'
import type { ContextTokens } from '../../../api/contexts.ts'
import type { PolicyName } from '../../../api/policy.ts'
import type { Reading } from '../../data/use-reading.ts'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { CopyRequest } from './copy-request.tsx'
import { type BuiltContext, type RequestTerms, messagesOfType } from './shown-request.ts'

const policies: readonly PolicyName[] = ['balanced', 'recency', 'autoContext', 'rolling', 'managed']

/** In the order in which they are stacked, everywhere. */
const kinds: readonly (readonly [kind: keyof ContextTokens, name: string])[] = [
  ['system', 'System'],
  ['blocks', 'Blocks'],
  ['pinned', 'Pinned'],
  ['folds', 'Folds'],
  ['messages', 'Messages'],
  ['recalled', 'Recalled'],
  ['plan', 'Plan'],
  ['framing', 'Framing'],
]

interface RequestAccountProps {
  readonly scope: string
  readonly session: string
  readonly terms: RequestTerms
  readonly onTerms: (terms: RequestTerms) => void
  readonly reading: Reading<BuiltContext>
  readonly at: number | undefined
}

/** The account of a request: whether it was sent, what it has in words, then in tokens. */
export function RequestAccount({ scope, session, terms, onTerms, reading, at }: RequestAccountProps): JSX.Element {
  const { data, failure } = reading
  return (
    <aside class="account" aria-label="Account of the next request">
      <section class="card seal">
        <Icon name={failure === undefined ? 'clock' : 'warning'} />
        <div>
          {failure === undefined ? (
            <>
              <b>The next request, not sent</b>
              <span>
                Built by the server{at === undefined ? '' : ` at ${written.seconds(at)}`}. Nothing was stored or
                compacted.
              </span>
            </>
          ) : (
            <>
              <b class="bad-text">No context can be built</b>
              <span>
                <PlainText text={failure.message} />
              </span>
            </>
          )}
        </div>
      </section>
      {data !== undefined && <Receipt context={data} />}
      {data !== undefined && <Ledger tokens={data.receipt.tokens} />}
      <TryPolicy terms={terms} onTerms={onTerms} />
      {data !== undefined && <CopyRequest scope={scope} session={session} terms={terms} />}
    </aside>
  )
}

function Receipt({ context }: { readonly context: BuiltContext }): JSX.Element {
  const { lines, tokens } = context.receipt
  const kept = messagesOfType(lines, 'kept')
  const folded = messagesOfType(lines, 'folded')
  const left = messagesOfType(lines, 'left-out')
  const folds = lines.filter(({ type }) => type === 'folded').length
  return (
    <section class="card">
      <h2>Receipt</h2>
      <p class="words">
        <b>{written.number(kept)}</b> of {written.count(kept + folded + left, 'message')} in full
        {folded > 0 && (
          <>
            , <b>{written.number(folded)}</b> as {written.count(folds, 'fold')}
          </>
        )}
        . {context.recalled.length > 0 && `${written.count(context.recalled.length, 'remembered line')} added. `}
        {left === 0 ? (
          'Nothing is left out'
        ) : (
          <>
            <b>{written.number(left)}</b> did not fit
          </>
        )}
        , and <b>{written.number(Math.max(0, tokens.budget - tokens.reserve - tokens.total))}</b> tokens stay free.
      </p>
    </section>
  )
}

function Ledger({ tokens }: { readonly tokens: ContextTokens }): JSX.Element {
  const parts = kinds
    .map(([kind, name]) => ({ kind, name, value: Number(tokens[kind]) }))
    .filter(({ value }) => value !== 0)
  const scale = Math.max(tokens.budget, tokens.total, 1)
  let x = 0
  return (
    <section class="card">
      <h2>
        <span class="grow">Tokens</span>
        <span class="dim">{tokens.exact ? 'exact' : 'estimated'}</span>
      </h2>
      <svg class="stack" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="stack-room" width="1000" height="10" rx="2" />
        {parts.map(({ kind, value }) => {
          const width = (Math.max(0, value) / scale) * 1_000
          const from = x
          x += width
          return <rect key={kind} class={`kind-${kind}`} x={from} width={width} height="10" />
        })}
      </svg>
      <table class="ledger">
        <tbody>
          {parts.map(({ kind, name, value }) => (
            <tr key={kind}>
              <td>
                <i class={`swatch kind-${kind}`} /> {name}
              </td>
              <td class="num">{written.number(value)}</td>
            </tr>
          ))}
          <tr class="total">
            <td>Total of {written.number(tokens.budget)}</td>
            <td class="num">{written.number(tokens.total)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  )
}

interface TryPolicyProps {
  readonly terms: RequestTerms
  readonly onTerms: (terms: RequestTerms) => void
}

function TryPolicy({ terms, onTerms }: TryPolicyProps): JSX.Element {
  return (
    <section class="card knobs">
      <h2>Try other terms</h2>
      <label class="knob">
        <span>Budget in tokens</span>
        <input
          class="input"
          type="number"
          min="300"
          step="100"
          value={terms.budget}
          onChange={(event) =>
            onTerms({ ...terms, budget: Math.max(1, Math.round(Number(event.currentTarget.value) || 8_000)) })
          }
        />
      </label>
      <label class="knob">
        <span>Policy</span>
        <select
          class="input"
          value={terms.policy}
          onChange={(event) => onTerms({ ...terms, policy: event.currentTarget.value as PolicyName })}
        >
          {policies.map((policy) => (
            <option key={policy} value={policy}>
              {policy}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={terms.recall}
          onChange={(event) => onTerms({ ...terms, recall: event.currentTarget.checked })}
        />
        With what is remembered elsewhere
      </label>
    </section>
  )
}
