import type { JSX } from 'preact'
import type { ContextReceipt } from '../../../api/contexts.ts'
import { written } from '../../parts/numbers.ts'
import { messagesOfType } from './shown-request.ts'

interface ReceiptWordsProps {
  readonly receipt: ContextReceipt
  /** How many lines were recalled. */
  readonly recalled: number
}

/** What a request has and has not, in a sentence. */
export function ReceiptWords({ receipt: { lines, tokens }, recalled }: ReceiptWordsProps): JSX.Element {
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
        . {recalled > 0 && `${written.count(recalled, 'remembered line')} added. `}
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
