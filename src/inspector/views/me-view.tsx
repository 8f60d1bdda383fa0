import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ForgetReceipt } from '../../domain/forget-receipt.ts'
import type { Fact, FactSource } from '../../domain/fact.ts'
import type { Message } from '../../domain/message.ts'
import { endpoints, queryText } from '../data/endpoints.ts'
import { edition, requestFile, sendWrite } from '../data/request.ts'
import { shownScope } from '../data/scopes.ts'
import { mayDo } from '../data/signed-in.ts'
import { useReading } from '../data/use-reading.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { saveFile } from '../parts/save-file.ts'
import { sentenceOf } from '../parts/sentence-of.ts'
import { ForgetDialog } from '../parts/forget-dialog.tsx'
import { Failed, Skeleton } from '../parts/notices.tsx'
import { written } from '../parts/numbers.ts'
import { PlainText } from '../parts/plain-text.tsx'
import { wordsOf } from '../parts/words-of.ts'

const PAGE = 200

interface FactsPage {
  readonly facts: readonly Fact[]
}

/** For the person that the memory is about: what is known, in sentences, and what they can do about it. */
export function MeView(): JSX.Element {
  const scope = shownScope.value
  const path = (states: readonly string[]): string | null =>
    scope === null ? null : endpoints.scope(scope, `facts${queryText({ limit: PAGE, state: states })}`)
  const known = useReading<FactsPage>(path(['current', 'upcoming']))
  const heard = useReading<FactsPage>(path(['quarantined', 'disputed']))
  const [receipt, setReceipt] = useState<ForgetReceipt | undefined>()
  const facts = known.data?.facts ?? []
  const topics = [...Map.groupBy(facts, topicOf)]
  return (
    <div class="me">
      <h1>What your assistant knows about you</h1>
      <p class="lede">
        {facts.length === 0
          ? 'Nothing yet. What you tell it appears here.'
          : `${written.count(facts.length, 'thing')}, each with where it came from. You can correct each of them, or have it destroyed.`}
      </p>
      {scope !== null && (
        <p class="me-bar">
          <ActionButton
            kind=""
            run={async () => saveFile(await requestFile(endpoints.scope(scope, 'archive')), 'my-memory.jsonl')}
          >
            Download everything
          </ActionButton>
        </p>
      )}
      {receipt !== undefined && <Destroyed receipt={receipt} />}
      {known.failure !== undefined && known.data === undefined ? (
        <Failed failure={known.failure} />
      ) : known.data === undefined && scope !== null ? (
        <Skeleton rows={4} />
      ) : (
        topics.length > 0 && (
          <div class="sheet ruled">
            {topics.map(([topic, found]) => (
              <section class="topic" key={topic}>
                <h2>
                  <PlainText text={topic} />
                </h2>
                <div>
                  {found.map((fact) => (
                    <Known key={fact.id} fact={fact} onForgotten={setReceipt} />
                  ))}
                </div>
              </section>
            ))}
          </div>
        )
      )}
      <Heard facts={heard.data?.facts ?? []} onForgotten={setReceipt} />
    </div>
  )
}

function topicOf({ predicate }: Fact): string {
  const words = predicate.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface KnownProps {
  readonly fact: Fact
  readonly onForgotten: (receipt: ForgetReceipt) => void
}

function Known({ fact, onForgotten }: KnownProps): JSX.Element {
  const [open, setOpen] = useState<'correct' | 'forget' | undefined>()
  const source = fact.sources.at(-1)
  return (
    <article class="known">
      <p class="sentence">
        <PlainText text={sentenceOf(fact)} />
      </p>
      {mayDo('write') && (
        <div class="do">
          <button
            type="button"
            class="btn is-quiet is-small"
            aria-expanded={open === 'correct'}
            onClick={() => setOpen(open === 'correct' ? undefined : 'correct')}
          >
            Correct it
          </button>
          <button type="button" class="btn is-quiet is-small is-danger" onClick={() => setOpen('forget')}>
            Forget it
          </button>
        </div>
      )}
      {source !== undefined && <From source={source} fact={fact} />}
      {open === 'correct' && <Correct fact={fact} onDone={() => setOpen(undefined)} />}
      {open === 'forget' && (
        <ForgetDialog
          scope={fact.scope}
          what={{ fact: fact.id }}
          title={`“${fact.text.slice(0, 80)}”`}
          name="forget"
          onClose={() => setOpen(undefined)}
          onForgotten={onForgotten}
        />
      )}
    </article>
  )
}

function From({ source, fact }: { readonly source: FactSource; readonly fact: Fact }): JSX.Element {
  const path =
    source.type === 'message'
      ? endpoints.session(fact.scope, source.session, `messages/${encodeURIComponent(source.id)}`)
      : null
  const message = useReading<Message>(path)
  if (source.type !== 'message')
    return (
      <p class="from">
        {source.type === 'fact' ? 'Worked out from something else here.' : `Noted on ${written.date(source.at)}.`}
      </p>
    )
  const text = message.data === undefined ? '' : wordsOf(message.data)
  const who =
    source.role === 'user'
      ? 'You said'
      : source.role === 'assistant'
        ? 'The assistant worked this out from'
        : 'Heard from a tool or a web page'
  return (
    <p class="from">
      {who}
      {message.data !== undefined && ` on ${written.date(message.data.at)}`}
      {text !== '' && (
        <>
          :{' '}
          <q>
            <PlainText text={text.slice(0, 300)} />
          </q>
        </>
      )}
    </p>
  )
}

function Correct({ fact, onDone }: { readonly fact: Fact; readonly onDone: () => void }): JSX.Element {
  const [text, setText] = useState(typeof fact.object === 'string' ? fact.object : '')
  const save = async (): Promise<void> => {
    const { id, scope, subject, predicate } = fact
    const path = endpoints.scope(scope, `facts/${encodeURIComponent(id)}/retract`)
    await sendWrite(path, { body: { reason: 'corrected by the person' } })
    const facts = subject === null ? text : { subject, predicate, object: text }
    await sendWrite(endpoints.scope(scope, 'facts'), { body: { facts } })
    onDone()
    edition.value += 1
  }
  return (
    <div class="row wrap edit-form">
      <input
        class="input grow"
        aria-label="What is right"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <ActionButton kind="is-primary" disabled={text.trim() === ''} run={save}>
        Save
      </ActionButton>
    </div>
  )
}

interface HeardProps {
  readonly facts: readonly Fact[]
  readonly onForgotten: (receipt: ForgetReceipt) => void
}

function Heard({ facts, onForgotten }: HeardProps): JSX.Element | null {
  if (facts.length === 0) return null
  return (
    <section class="heard">
      <h2>Heard, not used</h2>
      <p class="from">These came from a tool or a web page. The assistant does not use them.</p>
      <div class="sheet">
        {facts.map((fact) => (
          <Known key={fact.id} fact={fact} onForgotten={onForgotten} />
        ))}
      </div>
    </section>
  )
}

function Destroyed({ receipt }: { readonly receipt: ForgetReceipt }): JSX.Element {
  const { facts, messages, passages, at } = receipt
  const parts = [
    written.count(facts, 'thing the assistant knew', 'things the assistant knew'),
    ...(messages > 0 ? [written.count(messages, 'message it came from', 'messages it came from')] : []),
    ...(passages > 0 ? [written.count(passages, 'search entry', 'search entries')] : []),
  ]
  return (
    <p class="mini-receipt" role="status">
      {parts.join(', ')} destroyed on {written.day(at)} at {written.time(at)}. Receipt <code>{receipt.id}</code>
    </p>
  )
}
