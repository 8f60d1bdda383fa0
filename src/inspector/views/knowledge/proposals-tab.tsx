import type { JSX } from 'preact'
import type { Entity } from '../../../domain/entity.ts'
import type { Fact } from '../../../domain/fact.ts'
import type { Proposal } from '../../../domain/proposal.ts'
import { endpoints } from '../../data/endpoints.ts'
import { sendWrite } from '../../data/request.ts'
import { shownScope } from '../../data/scopes.ts'
import { mayDo } from '../../data/signed-in.ts'
import { useReading } from '../../data/use-reading.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Empty, Failed, Skeleton } from '../../parts/notices.tsx'
import { written } from '../../parts/numbers.ts'
import { PlainText } from '../../parts/plain-text.tsx'
import { DiffLine } from './diff-line.tsx'
import { validityText } from './validity-text.ts'

const titles: Readonly<Record<Proposal['kind'], string>> = {
  merge: 'Two names of one thing',
  split: 'One name of two things',
  duplicates: 'One fact, stored more than once',
  stale: 'Nobody has confirmed this for a long time',
}

/** What somebody proposes to change, line by line. Nothing of it is done until a person applies it. */
export function ProposalsTab(): JSX.Element {
  const scope = shownScope.value ?? ''
  const { data, failure } = useReading<{ readonly proposals: readonly Proposal[] }>(endpoints.scope(scope, 'proposals'))
  const look = (): Promise<unknown> => sendWrite(endpoints.scope(scope, 'consolidate'), { body: {} })
  return (
    <div class="body stacked">
      <div class="row wrap">
        <p class="grow dim">
          None of this reaches an agent until somebody applies it. What was applied can be reverted.
        </p>
        {mayDo('propose') && (
          <ActionButton kind="" run={look}>
            Look for duplicates and stale facts
          </ActionButton>
        )}
      </div>
      {failure !== undefined && data === undefined ? (
        <Failed failure={failure} />
      ) : data === undefined ? (
        <Skeleton rows={3} />
      ) : data.proposals.length === 0 ? (
        <Empty title="Nothing is proposed.">
          <p>Proposals come from consolidating, and from programs that ask to merge, split or close what is known.</p>
        </Empty>
      ) : (
        data.proposals
          .toReversed()
          .map((proposal) => <ProposalCard key={proposal.id} scope={scope} proposal={proposal} />)
      )}
    </div>
  )
}

function ProposalCard({ scope, proposal }: { readonly scope: string; readonly proposal: Proposal }): JSX.Element {
  const { id, kind, status, reason, createdAt, facts, entities } = proposal
  const change = (verb: string): Promise<unknown> =>
    sendWrite(endpoints.scope(scope, `proposals/${encodeURIComponent(id)}/${verb}`), { body: {} })
  return (
    <section class="card" aria-label={titles[kind]}>
      <h2>
        <span class="grow">{titles[kind]}</span>
        <span class="dim" title={written.moment(createdAt)}>
          {status === 'open' ? written.ago(createdAt) : status}
        </span>
      </h2>
      <p class="dim">
        <PlainText text={reason} />
      </p>
      <div class="diff">
        {entities.map(({ before, after }, index) => (
          <EntityLines key={index} before={before} after={after} />
        ))}
        {facts.map(({ before, after }) => (
          <FactLines key={before.id} before={before} after={after} />
        ))}
      </div>
      {mayDo('write') && (
        <div class="row wrap after-words">
          {status === 'open' && (
            <ActionButton kind="is-primary is-small" run={() => change('apply')}>
              Apply
            </ActionButton>
          )}
          {status === 'applied' && <ActionButton run={() => change('revert')}>Revert</ActionButton>}
        </div>
      )}
    </section>
  )
}

/** A fact before and after; one line if nothing about it changes that a reader would see. */
function FactLines({ before, after }: { readonly before: Fact; readonly after: Fact }): JSX.Element {
  const [then, now] = [sentenceOf(before), sentenceOf(after)]
  if (then === now)
    return (
      <DiffLine sign="=" note={noteOf(before)}>
        <PlainText text={then} />
      </DiffLine>
    )
  return (
    <>
      <DiffLine sign="−" note={noteOf(before)}>
        <PlainText text={then} />
      </DiffLine>
      {after.state !== 'retracted' && (
        <DiffLine sign="+" note={noteOf(after)}>
          <PlainText text={now} />
        </DiffLine>
      )}
    </>
  )
}

function sentenceOf(fact: Fact): string {
  const state = fact.state === 'current' ? '' : `, ${fact.state}`
  const validity = fact.validFrom === null && fact.validTo === null ? '' : validityText(fact)
  return `${fact.text.slice(0, 1_000)}${validity === '' ? '' : ` (${validity})`}${state}`
}

function noteOf({ sourceCount }: Fact): string {
  return written.count(sourceCount, 'source')
}

function EntityLines({
  before,
  after,
}: {
  readonly before: Entity | null
  readonly after: Entity | null
}): JSX.Element {
  return (
    <>
      {before !== null && (
        <DiffLine sign="−">
          <PlainText text={namesOf(before)} />
        </DiffLine>
      )}
      {after !== null && (
        <DiffLine sign="+">
          <PlainText text={namesOf(after)} />
        </DiffLine>
      )}
    </>
  )
}

function namesOf({ name, aliases }: Entity): string {
  return aliases.length === 0 ? name : `${name}, also called ${aliases.join(', ')}`
}
