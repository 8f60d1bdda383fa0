import type { JSX } from 'preact'
import type { RecallItem, Recalled, Signals } from '../../../api/recall.ts'
import { addressOf } from '../../data/place.ts'
import { type Expected, expectations, toggleExpected } from './expectations.ts'
import { Empty } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { TrustBadge } from '../../parts/trust-badge.tsx'

interface HitListProps {
  readonly recalled: Recalled
  /** What was asked, to save a hit as expected. */
  readonly asked: Omit<Expected, 'expect'>
  readonly budget: number | undefined
}

/** What was found, best first. All bars of an answer have one scale. */
export function HitList({ recalled, asked, budget }: HitListProps): JSX.Element {
  const { items, behind } = recalled
  const best = Math.max(1, ...items.map(({ score }) => score))
  const tokens = items.reduce((sum, item) => sum + item.tokens, 0)
  if (items.length === 0)
    return (
      <Empty title="Nothing was found.">
        <p>
          {recalled.dropped.length === 0
            ? 'Nothing here shares a word with the question. Words are compared, with their forms; with an embedder, the meaning is compared as well.'
            : `${written.count(recalled.dropped.length, 'passage')} came close and ${recalled.dropped.length === 1 ? 'was' : 'were'} left out: the table says why.`}
        </p>
      </Empty>
    )
  return (
    <div class="sheet ruled">
      {behind !== undefined && (
        <p class="banner">
          {written.count(behind.messages, 'message')} and {written.count(behind.facts, 'fact')} are not in the index yet
          and were not searched.
        </p>
      )}
      {items.map((item, index) => (
        <Hit key={`${item.source.id} ${index}`} item={item} place={index + 1} best={best} asked={asked} />
      ))}
      <p class="hit-foot">
        <span>{written.count(items.length, 'hit')}</span>
        <b>
          {written.number(tokens)}
          {budget === undefined ? '' : ` of ${written.number(budget)}`} tokens
        </b>
      </p>
    </div>
  )
}

interface HitProps {
  readonly item: RecallItem
  readonly asked: Omit<Expected, 'expect'>
  readonly place: number
  readonly best: number
}

function Hit({ item, asked, place, best }: HitProps): JSX.Element {
  const { kind, text, score, source, trust, at, tokens, speaker, before, after, copies = [] } = item
  return (
    <article class="hit" data-entry tabIndex={-1} aria-label={`Hit ${place}, score ${score.toFixed(2)}`}>
      <div class="score">
        <b>{score.toFixed(2)}</b>
        <span>
          {place}. {kind}
        </span>
      </div>
      <div class="main">
        {before !== undefined && (
          <p class="dim beside">
            <PlainText text={before} />
          </p>
        )}
        <p class="hit-text">
          <Marked text={text} words={item.why.words.map(({ word }) => word)} />
        </p>
        {after !== undefined && (
          <p class="dim beside">
            <PlainText text={after} />
          </p>
        )}
        <ReasonBar item={item} best={best} />
        <p class="source">
          <TrustBadge trust={trust} />
          {speaker !== undefined && <PlainText text={speaker} />}
          <SourceLink item={item} />
          <span title={written.moment(at)}>
            {written.day(at)}, {written.time(at)}
          </span>
          <span>{written.count(tokens, 'token')}</span>
          {copies.length > 0 && <span>{written.count(copies.length, 'near copy', 'near copies')} folded in</span>}
          {item.why.speaker !== undefined && (
            <span>
              said by <PlainText text={item.why.speaker} />
            </span>
          )}
          {item.why.asked !== undefined && (
            <span>
              the question asks for <PlainText text={item.why.asked} />
            </span>
          )}
          {item.why.date !== undefined && (
            <span>
              on <PlainText text={item.why.date} />
            </span>
          )}
          {source.scope !== '' && item.why.edge !== undefined && (
            <span>
              through <PlainText text={item.why.edge} />
            </span>
          )}
          <ExpectButton asked={asked} id={source.id} />
        </p>
      </div>
    </article>
  )
}

function SourceLink({ item: { kind, source } }: { readonly item: RecallItem }): JSX.Element {
  const { scope, session, seq, id } = source
  return kind === 'fact' || session === null ? (
    <a href={addressOf('/knowledge', { scope, fact: id })}>the fact</a>
  ) : (
    <a href={addressOf('/session', { scope, id: session, seq })}>
      <PlainText text={session} />
      {seq !== null && `, message ${seq}`}
    </a>
  )
}

/** The words of the question, where they are. */
function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }): JSX.Element {
  const shown = text.slice(0, 4_000)
  const wanted = words.filter((word) => word.length > 1)
  if (wanted.length === 0) return <PlainText text={shown} />
  return (
    <>
      {splitAt(shown, wanted).map((piece, index) =>
        index % 2 === 1 ? (
          <mark key={index}>
            <PlainText text={piece} />
          </mark>
        ) : (
          <PlainText key={index} text={piece} />
        ),
      )}
    </>
  )
}

/** Signals that mean the same to a reader. */
const groups: readonly (readonly [kind: string, name: string, signals: readonly (keyof Signals)[]])[] = [
  ['words', 'words', ['words']],
  ['near', 'words nearby', ['beside', 'twoAway', 'around1', 'around3', 'session', 'sessionBest']],
  ['asked', 'answers the question', ['answers', 'type', 'when', 'date']],
  ['graph', 'about it', ['names', 'edge', 'firstPerson']],
  ['meaning', 'close in meaning', ['vector']],
  ['rare', 'rare words', ['rarity']],
  ['by', 'who said it', ['speaker']],
]

/** Smaller parts are one part. */
const SHOWN_FROM = 0.1

function ReasonBar({ item, best }: { readonly item: RecallItem; readonly best: number }): JSX.Element {
  const named = groups
    .map(([kind, name, signals]) => ({
      kind,
      name,
      value: signals.reduce((sum, each) => sum + item.why.signals[each], 0),
    }))
    .filter(({ value }) => value >= SHOWN_FROM)
  const rest = item.score - named.reduce((sum, { value }) => sum + value, 0)
  const parts = rest > 0.005 ? [...named, { kind: 'other', name: 'other', value: rest }] : named
  let x = 0
  return (
    <>
      <svg class="reason" viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true">
        {parts.map(({ kind, value }) => {
          const width = (Math.max(0, value) / best) * 1_000
          const at = x
          x += width
          return <rect key={kind} class={`reason-${kind}`} x={at} y="0" width={Math.max(0, width - 2)} height="12" />
        })}
      </svg>
      <p class="reasons">
        {parts.map(({ kind, name, value }) => (
          <span key={kind}>
            <i class={`swatch reason-${kind}`} />
            {name} <b>{value.toFixed(2)}</b>
          </span>
        ))}
      </p>
    </>
  )
}

/** Every second piece is one of the words. */
function splitAt(text: string, words: readonly string[]): readonly string[] {
  const folded = text.toLowerCase()
  // A few letters are longer in lower case: then places in the one are not places in the other.
  const searched = folded.length === text.length ? folded : text
  const pieces: string[] = []
  for (let from = 0; ;) {
    const next = words
      .map((word) => ({ at: searched.indexOf(word.toLowerCase(), from), length: word.length }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at || b.length - a.length)[0]
    if (next === undefined) return [...pieces, text.slice(from)]
    pieces.push(text.slice(from, next.at), text.slice(next.at, next.at + next.length))
    from = next.at + next.length
  }
}

/** Marks a hit as one that the question should find. */
function ExpectButton({ asked, id }: { readonly asked: Omit<Expected, 'expect'>; readonly id: string }): JSX.Element {
  const on = expectations.value.some(
    ({ scope, query, expect }) => scope === asked.scope && query === asked.query && expect.includes(id),
  )
  return (
    <button
      type="button"
      class="btn is-quiet is-small expect"
      aria-pressed={on}
      onClick={() => toggleExpected(asked, id)}
    >
      {on ? 'Expected' : 'Save as expectation'}
    </button>
  )
}
