import type { ConsolidateOptions, ProposalsOptions, Suggestion } from '../api/graph.ts'
import type { EntityInput } from '../domain/new-fact.ts'
import type { Proposal } from '../domain/proposal.ts'
import { aListOf, either, parsed } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import { aCount, aNull, aText, anId, anIsoTime, oneOf } from '../shape/values.ts'
import { aFact, aName, aPageCursor, aReason } from './fact-shapes.ts'
import { anEntity } from './graph.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

type FactChange = Proposal['facts'][number]
type EntityChange = Proposal['entities'][number]

const factChange: Shape<FactChange> = anObject('ProposedFactChange', {
  before: mustHave(aFact, 'The fact as it is'),
  after: mustHave(aFact, 'The fact as it would be'),
})

const entityChange: Shape<EntityChange> = anObject('ProposedEntityChange', {
  before: mustHave(either([anEntity, aNull]), 'The entity as it is; null if there is none'),
  after: mustHave(either([anEntity, aNull]), 'The entity as it would be; null if it would be gone'),
})

const proposal: Shape<Proposal> = anObject('Proposal', {
  id: mustHave(aText, 'Its id'),
  kind: mustHave(oneOf(['merge', 'split', 'duplicates', 'stale']), 'What it would do'),
  status: mustHave(oneOf(['open', 'applied', 'reverted']), 'What became of it'),
  reason: mustHave(aText, 'Why it was proposed'),
  createdAt: mustHave(anIsoTime, 'When it was proposed'),
  facts: mustHave(aListOf(factChange), 'What it would do to facts'),
  entities: mustHave(aListOf(entityChange), 'What it would do to entities'),
})

const entityInput: Shape<EntityInput> = anObject('EntityInput', {
  name: mustHave(aName, 'Its name'),
  type: mayHave(aName, 'What kind of thing it is'),
  aliases: mayHave(aListOf(aName), 'Other names it has'),
})

const someFacts: Shape<readonly string[]> = aListOf(anId, { min: 1 })

type Merge = Extract<Suggestion, { merge: unknown }>
type Split = Extract<Suggestion, { split: unknown }>

const suggestion: Shape<Suggestion> = parsed(
  either(
    [
      anObject<Merge>(undefined, {
        merge: mustHave(
          aListOf(aName, { min: 2, max: 2 }) as Shape<readonly string[]> as unknown as Shape<Merge['merge']>,
          'Two names of one thing: the second becomes an alias of the first',
        ),
      }),
      anObject<Split>(undefined, {
        split: mustHave(aName, 'One name of two things'),
        into: mustHave(
          either([aName, entityInput]) as Shape<unknown> as Shape<EntityInput>,
          'The other thing: its name, or more about it',
        ),
        facts: mustHave(someFacts, 'Ids of the facts that are about the other thing'),
      }),
      anObject<{ readonly duplicates: readonly string[] }>(undefined, {
        duplicates: mustHave(someFacts, 'Ids of facts that say the same: the most trusted stays'),
      }),
      anObject<{ readonly stale: readonly string[] }>(undefined, {
        stale: mustHave(someFacts, 'Ids of facts that are no longer confirmed: they are closed'),
      }),
    ],
    { name: 'Suggestion', wanted: '{ merge }, { split, into, facts }, { duplicates } or { stale }' },
  ),
)

const proposalsOptions: Shape<ProposalsOptions> = anObject('ProposalsOptions', {
  status: mayHave(oneOf(['open', 'applied', 'reverted']), 'Only proposals with this status'),
  limit: mayHave(aCount, 'At most this many proposals', '100'),
  after: mayHave(anId, 'The id of the last proposal of the page before'),
})

const consolidateOptions: Shape<ConsolidateOptions> = anObject('ConsolidateOptions', {
  staleAfterDays: mayHave(aCount, 'Propose to close facts that nothing has confirmed for this many days', '365'),
  limit: mayHave(aCount, 'At most this many proposals', '50'),
})

const proposalId: RequiredField<string> = mustHave(anId, 'The id of the proposal')

export const proposalOperations: Readonly<Record<'list' | 'propose' | 'consolidate' | 'apply' | 'revert', Operation>> =
  noun('proposals', {
    list: {
      help: 'List what was proposed, oldest first',
      attempt: 'list proposals',
      call: 'proposals',
      can: 'read',
      method: 'get',
      path: `${SCOPE}/proposals`,
      options: proposalsOptions,
      answer: anObject<{ readonly proposals: readonly Proposal[]; readonly next: string | null }>(undefined, {
        proposals: mustHave(aListOf(proposal), 'The proposals'),
        next: mustHave(aPageCursor, 'The `after` of the next page; null on the last page'),
      }),
      as: 'proposals',
      pages: 'id',
      writes: false,
    },
    propose: {
      help: 'Show what merging or splitting entities, or joining or closing facts, would change. Nothing is changed',
      attempt: 'propose',
      call: 'propose',
      can: 'propose',
      method: 'post',
      path: `${SCOPE}/proposals`,
      takes: {
        suggestion: mustHave(suggestion, 'The change'),
        reason: mayHave(aReason, 'Why it is proposed'),
      },
      answer: proposal,
      creates: true,
      writes: true,
    },
    consolidate: {
      help: 'Look for duplicates, for two names of one thing and for stale facts, and propose what to do',
      attempt: 'consolidate',
      call: 'consolidate',
      can: 'propose',
      method: 'post',
      path: `${SCOPE}/consolidate`,
      options: consolidateOptions,
      answer: anObject<{ readonly proposals: readonly Proposal[] }>(undefined, {
        proposals: mustHave(aListOf(proposal), 'What is proposed'),
      }),
      as: 'proposals',
      writes: true,
    },
    apply: {
      help: 'Apply a proposal',
      attempt: 'apply a proposal',
      call: 'apply',
      can: 'write',
      method: 'post',
      path: `${SCOPE}/proposals/{proposal}/apply`,
      takes: { proposal: proposalId },
      answer: proposal,
      writes: true,
      repeat: 'by-version',
    },
    revert: {
      help: 'Revert an applied proposal',
      attempt: 'revert a proposal',
      call: 'revert',
      can: 'write',
      method: 'post',
      path: `${SCOPE}/proposals/{proposal}/revert`,
      takes: { proposal: proposalId },
      answer: proposal,
      writes: true,
      repeat: 'by-version',
    },
  })
