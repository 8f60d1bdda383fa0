import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ContextRecord } from '../../../api/kept-contexts.ts'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { AccountColumn } from '../session/account-column.tsx'
import { ReceiptWords } from '../session/receipt-words.tsx'
import { TokenLedger } from '../session/token-ledger.tsx'

/** What the account needs of a request: of a recorded one, or of one that was rebuilt. */
export type AccountedRequest = Pick<ContextRecord, 'messages' | 'receipt' | 'recalled' | 'cache'>

interface SentAccountProps {
  readonly request: AccountedRequest
  /** The record that it was read from; undefined if it was rebuilt. */
  readonly record: ContextRecord | undefined
}

/** The account of a request that was sent: the seal, the receipt in words, then in tokens. */
export function SentAccount({ request, record }: SentAccountProps): JSX.Element {
  const { receipt, recalled, cache } = request
  return (
    <AccountColumn label="Account of the request">
      {record === undefined ? <RebuiltSeal /> : <Seal record={record} />}
      <ReceiptWords receipt={receipt} recalled={recalled.length} />
      <TokenLedger tokens={receipt.tokens} {...(record === undefined ? {} : { cached: cache })} />
      <section class="card">
        <h2>Built with</h2>
        {record !== undefined && (
          <p class="dim">
            Policy <PlainText text={record.policy} />, log version {written.number(record.version)},{' '}
            {written.moment(record.at)}.
          </p>
        )}
        {receipt.repairs.map((repair, index) => (
          <p key={index} class="dim">
            <PlainText text={repair} />
          </p>
        ))}
      </section>
      <AsJson messages={request.messages} />
    </AccountColumn>
  )
}

function Seal({ record: { agrees, firstDifference, digest, at } }: { readonly record: ContextRecord }): JSX.Element {
  const short = `${digest.slice(0, 4)}…${digest.slice(-4)}`
  return (
    <section class="card seal">
      <Icon name={agrees ? 'check' : 'warning'} />
      <div>
        {agrees ? (
          <>
            <b>Exactly what was sent</b>
            <span>
              Recorded at {written.seconds(at)}, digest {short} matches.
            </span>
          </>
        ) : (
          <>
            <b class="bad-text">Differs from what was sent</b>
            <span>
              From message {(firstDifference ?? 0) + 1} of the request. What is stored was changed since, or is gone.
            </span>
          </>
        )}
      </div>
    </section>
  )
}

function RebuiltSeal(): JSX.Element {
  return (
    <section class="card seal">
      <Icon name="clock" />
      <div>
        <b>Rebuilt</b>
        <span>
          No request was recorded here. This one was built now from the log as it was: what was sent may differ.
        </span>
      </div>
    </section>
  )
}

function AsJson({ messages }: Pick<ContextRecord, 'messages'>): JSX.Element {
  const [open, setOpen] = useState(false)
  return (
    <section class="card">
      <h2>
        <button type="button" class="btn is-quiet is-small" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide JSON' : 'Show as JSON'}
        </button>
      </h2>
      {open && (
        <pre class="json" tabIndex={0} aria-label="The messages as JSON">
          <PlainText text={JSON.stringify(messages)} />
        </pre>
      )}
    </section>
  )
}
