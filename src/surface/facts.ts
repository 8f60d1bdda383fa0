import type {
  DeeperRollBackLosses,
  EffectiveRetention,
  EndorseAllOptions,
  EndorseOptions,
  FactHistoryOptions,
  FactOptions,
  FactsOptions,
  ForgetOptions,
  ForgetTarget,
  Overdue,
  RememberOptions,
  RestoreFactOptions,
  RetentionOptions,
  RetentionSet,
  RetractOptions,
  RollBackLosses,
  RollBackReceipt,
} from '../api/facts.ts'
import type { Fact, FactState, FactVersion, RememberedFact } from '../domain/fact.ts'
import { roles } from '../domain/message.ts'
import type { NewFact } from '../domain/new-fact.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import { aCount, aFlag, aNull, aText, aWholeNumber, anId, oneOf, onlyTrue } from '../shape/values.ts'
import {
  aChannel,
  aFact,
  aFactObject,
  aFactOrigin,
  aFactState,
  aFactVersion,
  aForgetReceipt,
  aName,
  aNewFact,
  aPageCursor,
  aPredicate,
  aReason,
  aRememberedFact,
  aRetentionPolicy,
  aRevision,
  aSource,
  momentFields,
} from './fact-shapes.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

const FACT = `${SCOPE}/facts/{id}`

const factOptions: Shape<FactOptions> = anObject('FactOptions', momentFields)

const states: Shape<FactState | readonly FactState[]> = either([aFactState, aListOf(aFactState, { min: 1 })], {
  wanted: 'one or several of current, closed, upcoming, quarantined, disputed, retracted',
})

const factsOptions: Shape<FactsOptions> = anObject('FactsOptions', {
  ...momentFields,
  subject: mayHave(aName, 'Only facts about this subject: a name or an alias'),
  predicate: mayHave(aPredicate, 'Only facts with this predicate'),
  object: mayHave(aFactObject, 'Only facts with this object'),
  tag: mayHave(aName, 'Only facts with this tag'),
  includeClosed: mayHave(aFlag, 'Include what was true before or will be true later', 'false'),
  state: mayHave(states, 'Only facts in these states', 'those that are true'),
  role: mayHave(oneOf(roles), 'Only facts learned from a message of this role'),
  source: mayHave(aFactOrigin, 'Only facts learned from this message, session, fact or channel'),
  order: mayHave(oneOf(['newest', 'oldest']), 'Which facts come first, by when they were first learned', "'newest'"),
  limit: mayHave(aCount, 'At most this many facts', '100'),
  after: mayHave(anId, 'The id of the last fact of the page before'),
  stale: mayHave(aFlag, 'Accept a result that may be slightly out of date, from a replica if there is one', 'false'),
})

const historyOptions: Shape<FactHistoryOptions> = anObject('FactHistoryOptions', {
  limit: mayHave(aCount, 'At most this many versions, the newest', '100'),
})

const expect: OptionalField<number> = mayHave(aRevision, 'Only if the fact still has this revision')

const rememberOptions: Shape<RememberOptions> = anObject('RememberOptions', {
  channel: mayHave(aChannel, 'Who the facts come from', "'user'"),
})

const restoreOptions: Shape<RestoreFactOptions> = anObject('RestoreFactOptions', { expect })

const retractOptions: Shape<RetractOptions> = anObject('RetractOptions', {
  channel: mayHave(aChannel, 'Who retracts it', "'user'"),
  expect,
})

const endorseOptions: Shape<EndorseOptions> = anObject('EndorseOptions', {
  channel: mayHave(aChannel, 'Who endorses it', "'user'"),
  reason: mayHave(aReason, 'Why it is endorsed'),
  expect,
})

const endorseAllOptions: Shape<EndorseAllOptions> = anObject('EndorseAllOptions', {
  channel: mayHave(aChannel, 'Who endorses them', "'user'"),
  reason: mayHave(aReason, 'Why they are endorsed'),
})

const forgetTarget: Shape<ForgetTarget> = either(
  [
    anObject<Extract<ForgetTarget, { message: string }>>(undefined, {
      message: mustHave(anId, 'The id of a message'),
      session: mayHave(anId, 'The session of the message, if several have a message with this id'),
    }),
    anObject<Extract<ForgetTarget, { block: string }>>(undefined, {
      block: mustHave(anId, 'The name of a block, with all its versions'),
      session: mayHave(anId, 'The session of the block, if it does not belong to the scope'),
    }),
    anObject<{ readonly session: string }>(undefined, { session: mustHave(anId, 'The id of a session') }),
    anObject<{ readonly subject: string }>(undefined, {
      subject: mustHave(aName, 'A person or thing, with every fact about it'),
    }),
    anObject<{ readonly fact: string }>(undefined, { fact: mustHave(anId, 'The id of a fact') }),
    anObject<{ readonly records: string }>(undefined, {
      records: mustHave(anId, 'A collection, with all its records'),
    }),
    anObject<{ readonly everything: true }>(undefined, {
      everything: mustHave(onlyTrue, 'Everything in the scope and in the scopes below it'),
    }),
  ],
  {
    name: 'ForgetTarget',
    wanted: 'one of { message }, { session }, { block }, { subject }, { fact }, { records } and { everything: true }',
  },
)

const forgetOptions: Shape<ForgetOptions> = anObject('ForgetOptions', {
  reason: mayHave(aReason, 'Why it is forgotten', "'asked'"),
  forks: mayHave(aFlag, 'Forget the sessions that were forked from it too', 'false'),
  messages: mayHave(aFlag, 'Forget the messages that the facts were learned from too', 'false'),
  dryRun: mayHave(aFlag, 'Only report what would be forgotten', 'false'),
})

const retentionOptions: Shape<RetentionOptions> = anObject('RetentionOptions', {
  dryRun: mayHave(aFlag, 'Only report what would be forgotten', 'false'),
})

const effectiveRetention: Shape<EffectiveRetention> = anObject('EffectiveRetention', {
  policy: mustHave(aRetentionPolicy, 'The policy'),
  from: mustHave(aText, 'The scope that set it: this one or an ancestor'),
})

const overdue: Shape<Overdue> = anObject('Overdue', {
  sessions: mustHave(aWholeNumber, 'How many sessions have something to forget'),
  messages: mustHave(aWholeNumber, 'How many messages will be forgotten'),
  receipts: mustHave(aListOf(aForgetReceipt), 'With the option `dryRun`: what each session would lose'),
})

const retentionSet: Shape<RetentionSet> = anObject('RetentionSet', {
  policy: mustHave(either([aRetentionPolicy, aNull]), 'The policy that was set; null if it was removed'),
  overdue: mustHave(overdue, 'What the policy no longer allows'),
})

const losses: FieldsOf<RollBackLosses> = {
  retracted: mustHave(aListOf(aText), 'Facts that had no other source'),
  kept: mustHave(aListOf(aText), 'Facts that lost this source and have another'),
}

const deeperLosses: Shape<DeeperRollBackLosses> = anObject('DeeperRollBackLosses', {
  ...losses,
  scope: mustHave(aText, 'The scope below'),
})

const rollBackReceipt: Shape<RollBackReceipt> = anObject('RollBackReceipt', {
  ...losses,
  deeper: mustHave(aListOf(deeperLosses), 'The same in scopes below that had learned from the source'),
})

const factId: RequiredField<string> = mustHave(anId, 'The id of the fact')

const newFacts: Shape<NewFact | readonly NewFact[]> = either([aNewFact, aListOf(aNewFact)]) as Shape<
  NewFact | readonly NewFact[]
>

export const factOperations: Readonly<
  Record<
    | 'list'
    | 'remember'
    | 'get'
    | 'history'
    | 'version'
    | 'retract'
    | 'restore'
    | 'endorse'
    | 'endorseAll'
    | 'rollBack'
    | 'forget',
    Operation
  >
> = noun('facts', {
  list: {
    help: 'List the facts of a scope and its ancestors, newest first',
    attempt: 'read facts',
    call: 'facts',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/facts`,
    options: factsOptions,
    answer: anObject<{ readonly facts: readonly Fact[]; readonly next: string | null }>(undefined, {
      facts: mustHave(aListOf(aFact), 'The facts'),
      next: mustHave(aPageCursor, 'The `after` of the next page; null on the last page'),
    }),
    as: 'facts',
    pages: 'id',
    writes: false,
  },
  remember: {
    help: 'Store facts, all or none. With a key that may only propose, they are quarantined until somebody endorses them',
    attempt: 'remember',
    call: 'remember',
    can: 'propose',
    method: 'post',
    path: `${SCOPE}/facts`,
    takes: { facts: mustHave({ ...newFacts, check: () => undefined }, 'A fact, or a list of facts') },
    options: rememberOptions,
    answer: anObject<{ readonly facts: readonly RememberedFact[] }>(undefined, {
      facts: mustHave(aListOf(aRememberedFact), 'The facts as stored, each with what happened'),
    }),
    as: 'facts',
    creates: true,
    writes: true,
    repeat: 'by-version',
  },
  get: {
    help: 'Read one fact, whatever its state',
    attempt: 'read a fact',
    call: 'fact',
    can: 'read',
    method: 'get',
    path: FACT,
    takes: { id: factId },
    options: factOptions,
    answer: aFact,
    missing: 'knowledge/not-found',
    writes: false,
  },
  history: {
    help: 'Read the versions of a fact, oldest first',
    attempt: 'read the history of a fact',
    call: 'factHistory',
    can: 'read',
    method: 'get',
    path: `${FACT}/history`,
    takes: { id: factId },
    options: historyOptions,
    answer: anObject<{ readonly versions: readonly FactVersion[] }>(undefined, {
      versions: mustHave(aListOf(aFactVersion), 'The versions, oldest first'),
    }),
    as: 'versions',
    missing: 'knowledge/not-found',
    writes: false,
  },
  version: {
    help: 'Read the version of what is known: the number of changes of this scope and its ancestors',
    attempt: 'read the version of what is known',
    call: 'knowledgeVersion',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/knowledge-version`,
    answer: anObject<{ readonly version: number }>(undefined, { version: mustHave(aWholeNumber, 'The version') }),
    as: 'version',
    writes: false,
  },
  retract: {
    help: 'Retract a fact. It stays readable, and facts that it had replaced are valid again',
    attempt: 'retract a fact',
    call: 'retract',
    can: 'write',
    method: 'post',
    path: `${FACT}/retract`,
    takes: { id: factId, reason: mayHave(aReason, 'Why it is retracted') },
    options: retractOptions,
    answer: aFact,
    writes: true,
    repeat: 'by-version',
  },
  restore: {
    help: 'Restore a retracted fact',
    attempt: 'restore a fact',
    call: 'restore',
    can: 'write',
    method: 'post',
    path: `${FACT}/restore`,
    takes: { id: factId },
    options: restoreOptions,
    answer: aFact,
    writes: true,
    repeat: 'by-version',
  },
  // Gives trust, which nothing else can: it takes a person with an admin key.
  endorse: {
    help: 'Endorse a fact: raise its trust and take it out of quarantine',
    attempt: 'endorse a fact',
    call: 'endorse',
    can: 'admin',
    method: 'post',
    path: `${FACT}/endorse`,
    takes: { id: factId },
    options: endorseOptions,
    answer: aFact,
    writes: true,
    repeat: 'by-version',
  },
  endorseAll: {
    help: 'Endorse all facts of this scope that were learned from a source, for example from an imported session',
    attempt: 'endorse facts',
    call: 'endorseAll',
    can: 'admin',
    method: 'post',
    path: `${SCOPE}/endorse`,
    takes: { source: mustHave(aFactOrigin, 'The message, session, fact or channel') },
    options: endorseAllOptions,
    answer: anObject<{ readonly facts: readonly Fact[] }>(undefined, {
      facts: mustHave(aListOf(aFact), 'The facts that were endorsed'),
    }),
    as: 'facts',
    writes: true,
    repeat: 'by-version',
  },
  rollBack: {
    help: 'Take back everything that was learned from a message or a fact',
    attempt: 'roll back',
    call: 'rollBack',
    can: 'write',
    method: 'post',
    path: `${SCOPE}/roll-back`,
    takes: { source: mustHave(aSource, 'The message or the fact') },
    answer: rollBackReceipt,
    writes: true,
    repeat: 'by-version',
  },
  forget: {
    help: 'Destroy a message, a session, a fact, all facts about a subject or everything in a scope, permanently',
    attempt: 'forget',
    call: 'forget',
    can: 'write',
    method: 'post',
    path: `${SCOPE}/forget`,
    takes: { what: mustHave(forgetTarget, 'What to forget') },
    spreads: 'what',
    options: forgetOptions,
    answer: aForgetReceipt,
    writes: true,
    repeat: 'by-version',
  },
})

export const retentionOperations: Readonly<Record<'get' | 'set', Operation>> = noun('retention', {
  get: {
    help: 'Read how long messages are kept here, and which scope sets it',
    attempt: 'read the retention',
    call: 'retention.get',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/retention`,
    answer: anObject<{ readonly retention: EffectiveRetention | null }>(undefined, {
      retention: mustHave(either([effectiveRetention, aNull]), 'The policy that applies; null if everything is kept'),
    }),
    as: 'retention',
    writes: false,
  },
  set: {
    help: 'Set how long messages are kept here and in the scopes below',
    attempt: 'set a retention',
    call: 'retention.set',
    can: 'write',
    method: 'put',
    path: `${SCOPE}/retention`,
    takes: {
      policy: mustHave(either([aRetentionPolicy, aNull]), 'The policy; null to remove the one of this scope'),
    },
    options: retentionOptions,
    answer: retentionSet,
    writes: true,
  },
})
