import type { JSX } from 'preact'
import type { RecallItem } from '../../../api/recall.ts'
import { addressOf } from '../../data/place.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { TrustBadge } from '../../parts/trust-badge.tsx'
import { MarginEntry } from '../message/margin-entry.tsx'

interface RecalledEntryProps {
  readonly items: readonly RecallItem[]
  readonly tokens: number
}

/** What was brought into a request from elsewhere, and why. */
export function RecalledEntry({ items, tokens }: RecalledEntryProps): JSX.Element {
  return (
    <MarginEntry number="" tokens={tokens} lane="recalled" note="recalled" label="Remembered from elsewhere">
      <div class="who">
        <b>Remembered</b>
        <span>from elsewhere, quoted as data</span>
      </div>
      <ul class="recalled-list">
        {items.map(({ text, why, trust, source, kind }, index) => (
          <li key={index}>
            <p class="words">
              <PlainText text={text.slice(0, 1_000)} />
            </p>
            <p class="because">
              {why.words.length > 0 && (
                <>
                  because of{' '}
                  <b>
                    <PlainText text={why.words.map(({ word }) => word).join(', ')} />
                  </b>{' '}
                  ·{' '}
                </>
              )}
              <TrustBadge trust={trust} /> ·{' '}
              {kind === 'fact' || source.session === null ? (
                <a href={addressOf('/knowledge', { scope: source.scope, fact: source.id })}>the fact</a>
              ) : (
                <a href={addressOf('/session', { scope: source.scope, id: source.session, seq: source.seq })}>
                  <PlainText text={source.session} />, message {source.seq}
                </a>
              )}
            </p>
          </li>
        ))}
      </ul>
    </MarginEntry>
  )
}
