import type { JSX } from 'preact'
import type { PolicyName } from '../../../api/policy.ts'
import type { Reading } from '../../data/use-reading.ts'
import { Icon } from '../../parts/icon.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { AccountColumn } from './account-column.tsx'
import { CopyRequest } from './copy-request.tsx'
import { offeredPolicies } from './offered-policies.ts'
import { ReceiptWords } from './receipt-words.tsx'
import type { BuiltContext, RequestSettings } from './shown-request.ts'
import { TokenLedger } from './token-ledger.tsx'
import { TriedLedger } from './tried-ledger.tsx'

interface RequestAccountProps {
  readonly scope: string
  readonly session: string
  readonly settings: RequestSettings
  readonly onSettings: (settings: RequestSettings) => void
  readonly reading: Reading<BuiltContext>
  readonly at: number | undefined
  /** While other settings are tried: the request without them, and how to go back to it. */
  readonly untried?: BuiltContext | undefined
  readonly onReset?: () => void
}

/** The account of a request: whether it was sent, what it has in words, then in tokens. */
export function RequestAccount({
  scope,
  session,
  settings,
  onSettings,
  reading,
  at,
  untried,
  onReset,
}: RequestAccountProps): JSX.Element {
  const { data, failure } = reading
  return (
    <AccountColumn label="Account of the next request">
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
      {data !== undefined && untried !== undefined && onReset !== undefined && (
        <TriedLedger tried={data} usual={untried} onReset={onReset} />
      )}
      {data !== undefined && <ReceiptWords receipt={data.receipt} recalled={data.recalled.length} />}
      {data !== undefined && <TokenLedger tokens={data.receipt.tokens} />}
      <TryPolicy settings={settings} onSettings={onSettings} />
      {data !== undefined && <CopyRequest scope={scope} session={session} settings={settings} />}
    </AccountColumn>
  )
}

interface TryPolicyProps {
  readonly settings: RequestSettings
  readonly onSettings: (settings: RequestSettings) => void
}

function TryPolicy({ settings, onSettings }: TryPolicyProps): JSX.Element {
  return (
    <section class="card knobs">
      <h2>Try other settings</h2>
      <label class="knob">
        <span>Budget in tokens</span>
        <input
          class="input"
          type="number"
          min="300"
          step="100"
          value={settings.budget}
          onChange={(event) =>
            onSettings({ ...settings, budget: Math.max(1, Math.round(Number(event.currentTarget.value) || 8_000)) })
          }
        />
      </label>
      <label class="knob">
        <span>Policy</span>
        <select
          class="input"
          value={settings.policy}
          onChange={(event) => onSettings({ ...settings, policy: event.currentTarget.value as PolicyName })}
        >
          {offeredPolicies.map((policy) => (
            <option key={policy} value={policy}>
              {policy}
            </option>
          ))}
        </select>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={settings.recall}
          onChange={(event) => onSettings({ ...settings, recall: event.currentTarget.checked })}
        />
        With what is remembered elsewhere
      </label>
    </section>
  )
}
