import {
  type Fact,
  type FactObject,
  type FactSource,
  type FactState,
  type FactVersion,
  type RememberedFact,
  factStates,
} from '../domain/fact.ts'
import type { FactOptions, FactOrigin } from '../api/facts.ts'
import type { ForgetReceipt } from '../domain/forget-receipt.ts'
import { roles } from '../domain/message.ts'
import {
  type EntityInput,
  type NewFact,
  type SourceInput,
  parseName,
  parseObject,
  parsePredicate,
} from '../domain/new-fact.ts'
import type { RetentionPolicy } from '../domain/retention.ts'
import { type Channel, type SourceChannel, type Trust, channels } from '../domain/trust.ts'
import { aListOf, either, orNull, parsed } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, Shape } from '../shape/shape.ts'
import {
  aFlag,
  aJson,
  aMoment,
  aNumber,
  aText,
  aTextOf,
  aTime,
  aTimeOrNumber,
  aWholeNumber,
  aWholeNumberFrom,
  anId,
  anIsoTime,
  checkedBy,
  oneOf,
} from '../shape/values.ts'

/** The name of a person or thing. */
export const aName: Shape<string> = checkedBy(
  { kind: 'text', min: 1, max: 512 },
  'a name of 1 to 512 characters',
  parseName,
)

export const aPredicate: Shape<string> = checkedBy(
  { kind: 'text', min: 1, max: 128 },
  'a string of up to 128 characters',
  parsePredicate,
)

export const aTrust: Shape<Trust> = oneOf([0, 1, 2, 3])
export const aChannel: Shape<Channel> = oneOf(channels, { wanted: `one of ${channels.join(', ')}` })
const aSourceChannel: Shape<SourceChannel> = oneOf([...channels, 'import'])
export const aReason: Shape<string> = aTextOf(1, 2_048)

/** The revision that a fact must still have. */
export const aRevision: Shape<number> = aWholeNumberFrom(0, 'a revision, or 0 for none')

export const aFactState: Shape<FactState> = oneOf(factStates)

const otherObjects = [
  aTextOf(1, 32_768),
  aNumber(),
  aFlag,
  anObject<Extract<FactObject, { json: unknown }>>(undefined, { json: mustHave(aJson, 'Any JSON value') }),
  anObject<Extract<FactObject, { entity: string }>>(undefined, {
    entity: mustHave(aName, 'The name of a person or thing: a node of the graph'),
    type: mayHave(aName, 'What kind of thing it is'),
  }),
] as const

const aFactObjectForm: Shape<FactObject> = either(
  [
    ...otherObjects,
    anObject<Extract<FactObject, { date: string }>>(undefined, {
      date: mustHave(aText, 'A day or a time in ISO 8601'),
    }),
  ],
  { name: 'FactObject' },
)

/** What a fact says of its subject. */
export const aFactObject: Shape<FactObject> = checkedBy(
  aFactObjectForm.form,
  'text, a number, true or false, { date }, { json } or { entity }',
  (attempt, path, value) => parseObject(path, value, attempt),
)

const sourceFields = {
  evidence: mustHave(aText, 'Sources that taught the fact together have the same evidence'),
  trust: mustHave(aTrust, '3 operator, 2 user, 1 agent, 0 tools, the web and imports'),
  at: mustHave(anIsoTime, 'When the fact was learned from it'),
}

const aFactSource: Shape<FactSource> = either(
  [
    anObject<Extract<FactSource, { type: 'message' }>>(undefined, {
      ...sourceFields,
      type: mustHave(oneOf(['message']), 'A message of the log'),
      session: mustHave(aText, 'The session that has the message'),
      id: mustHave(aText, 'The id of the message'),
      role: mustHave(oneOf(roles), 'The role of the message'),
    }),
    anObject<Extract<FactSource, { type: 'fact' }>>(undefined, {
      ...sourceFields,
      type: mustHave(oneOf(['fact']), 'Another fact'),
      id: mustHave(aText, 'The id of the fact'),
    }),
    anObject<Extract<FactSource, { channel: SourceChannel }>>(undefined, {
      ...sourceFields,
      type: mustHave(oneOf(['told', 'endorsed']), 'A caller stated or endorsed it'),
      channel: mustHave(aSourceChannel, 'Who the caller was'),
      reason: mayHave(aText, 'Why, if the caller gave a reason'),
    }),
  ],
  { name: 'FactSource' },
) as Shape<FactSource>

const factFields: FieldsOf<Fact> = {
  id: mustHave(aText, 'Its id'),
  revision: mustHave(
    aWholeNumber,
    'The version of the knowledge in which it last changed, counted from the scope that was asked',
  ),
  scope: mustHave(aText, 'The scope that has it: the one that was asked, or an ancestor'),
  subject: mustHave(orNull(aText), 'Who or what it is about; null for a note about nobody in particular'),
  predicate: mustHave(aText, 'What about it'),
  object: mustHave(aFactObjectForm, 'What it says of its subject'),
  text: mustHave(aText, 'The fact as a sentence'),
  validFrom: mustHave(orNull(anIsoTime), 'When it began to be true; null if that is not known'),
  validTo: mustHave(orNull(anIsoTime), 'When it ceased to be true; null if it has not, as far as is known'),
  except: mayHave(
    aListOf(
      anObject<NonNullable<Fact['except']>[number]>(undefined, {
        from: mustHave(anIsoTime, 'The start'),
        to: mustHave(anIsoTime, 'The end'),
      }),
    ),
    'Times in between when something else was true instead',
  ),
  learnedAt: mustHave(anIsoTime, 'When it was learned'),
  retractedAt: mustHave(orNull(anIsoTime), 'When it was retracted; null if it was not'),
  sources: mustHave(aListOf(aFactSource), 'Its newest sources, the oldest of them first'),
  sourceCount: mustHave(aWholeNumber, 'How many sources it has in all'),
  trust: mustHave(aTrust, '3 operator, 2 user, 1 agent, 0 tools, the web and imports'),
  confidence: mustHave(orNull(aNumber({ min: 0, max: 1 })), 'From 0 to 1, as stated; null if nobody stated it'),
  tags: mustHave(aListOf(aText), 'Its tags'),
  state: mustHave(aFactState, 'Whether it is true and trusted'),
  reason: mayHave(aText, 'Why it was retracted, endorsed or changed, if a reason was given'),
  closedBy: mayHave(aText, 'The fact that ended or narrowed its validity'),
}

export const aFact: Shape<Fact> = anObject('Fact', factFields, { what: 'field' })

export const aFactVersion: Shape<FactVersion> = anObject('FactVersion', {
  ...factFields,
  knownFrom: mustHave(anIsoTime, 'When this version became known'),
  knownTo: mustHave(orNull(anIsoTime), 'When it was replaced; null for what is known now'),
})

export const aRememberedFact: Shape<RememberedFact> = anObject('RememberedFact', {
  ...factFields,
  outcome: mustHave(
    oneOf(['added', 'confirmed', 'restored', 'disputed', 'unchanged'], {
      meanings: {
        added: 'A new fact',
        confirmed: 'One more source for a fact that was there',
        restored: 'Retracted before, and stated again',
        disputed: 'Stored but not applied, since something more trusted contradicts it',
        unchanged: 'This source had taught it already',
      },
    }),
    'What happened with the fact',
  ),
  closed: mustHave(aListOf(aText), 'Earlier values that this one closed or narrowed'),
  disputedBy: mustHave(aListOf(aText), 'The facts that contradict it, when it is disputed'),
})

/** A message or a fact that something was learned from. */
export const aSource: Shape<SourceInput> = either(
  [
    anId,
    anObject<{ readonly message: string; readonly session?: string }>(undefined, {
      message: mustHave(anId, 'The id of a message of this scope or an ancestor'),
      session: mayHave(anId, 'Its session, if several sessions have a message with this id'),
    }),
    anObject<{ readonly fact: string }>(undefined, { fact: mustHave(anId, 'The id of a fact') }),
  ],
  { name: 'SourceInput', wanted: 'a message id, { session, message } or { fact }' },
)

/** Where facts came from: what `aSource` takes, a session or a channel. */
export const aFactOrigin: Shape<FactOrigin> = either(
  [
    anId,
    anObject<{ readonly message: string; readonly session?: string }>(undefined, {
      message: mustHave(anId, 'The id of a message of this scope or an ancestor'),
      session: mayHave(anId, 'Its session, if several sessions have a message with this id'),
    }),
    anObject<{ readonly fact: string }>(undefined, { fact: mustHave(anId, 'The id of a fact') }),
    anObject<{ readonly session: string }>(undefined, { session: mustHave(anId, 'A session: all its messages') }),
    anObject<{ readonly channel: SourceChannel }>(undefined, {
      channel: mustHave(aSourceChannel, 'A channel: all that was stored through it without a message'),
    }),
  ],
  { name: 'FactOrigin', wanted: 'a message id, { session, message }, { fact }, { session } or { channel }' },
)

const anEntity: Shape<string | EntityInput> = either(
  [
    aName,
    anObject<EntityInput>(
      'EntityInput',
      {
        name: mustHave(aName, 'Its name'),
        type: mayHave(aName, 'What kind of thing it is'),
        aliases: mayHave(aListOf(aName, { max: 64 }), 'Other names for it'),
      },
      { what: 'field' },
    ),
  ],
  { wanted: 'a name or { name, type, aliases }' },
)

type Details = Omit<Extract<NewFact, { text: string }>, 'text' | 'subject'>

/** What a fact may have besides its subject, predicate and object. */
export const factDetails: FieldsOf<Details> = {
  validFrom: mayHave(aTimeOrNumber, 'When it began to be true'),
  validTo: mayHave(aTimeOrNumber, 'When it ceased to be true'),
  confidence: mayHave(aNumber({ min: 0, max: 1 }, 'a number from 0 to 1'), 'How certain it is, from 0 to 1'),
  tags: mayHave(aListOf(aName, { max: 64 }), 'Tags to find it by'),
  sources: mayHave(aListOf(aSource, { max: 64 }), 'What it was learned from', 'the caller stated it'),
  expect: mayHave(aRevision, 'Store only if the current value still has this revision; 0 if there must be none'),
  alongside: mayHave(aFlag, 'Leave other values as they are, even where the predicate holds one at a time', 'false'),
}

type ObjectInput = Extract<NewFact, { predicate: string }>['object']

const anObjectInput: Shape<ObjectInput> = either(
  [
    ...otherObjects,
    anObject<Extract<ObjectInput, { date: unknown }>>(undefined, { date: mustHave(aTimeOrNumber, 'A day or a time') }),
  ],
  { name: 'NewFactObject' },
)

/** A fact as it is given. The parser of facts checks it. */
export const aNewFact: Shape<NewFact> = parsed(
  either(
    [
      aTextOf(1, 32_768),
      anObject<Extract<NewFact, { predicate: string }>>(undefined, {
        subject: mustHave(anEntity, 'Who or what it is about'),
        predicate: mustHave(aPredicate, 'What about it'),
        object: mustHave(anObjectInput, 'What it says of its subject'),
        ...factDetails,
      }),
      anObject<Extract<NewFact, { text: string }>>(undefined, {
        text: mustHave(aTextOf(1, 32_768), 'A sentence'),
        subject: mayHave(anEntity, 'Who or what it is about'),
        ...factDetails,
      }),
    ],
    { name: 'NewFact', wanted: 'a sentence, { text } or { subject, predicate, object }' },
  ),
)

export const aRetentionPolicy: Shape<RetentionPolicy> = anObject('RetentionPolicy', {
  days: mayHave(aNumber({ above: 0 }, 'a number of days above 0'), 'Messages stored longer ago are forgotten'),
  messages: mayHave(aWholeNumber, 'Only this many of the newest messages of each session are kept'),
})

const rows = (help: string): ReturnType<typeof mustHave<number>> => mustHave(aWholeNumber, help)

export const aForgetReceipt: Shape<ForgetReceipt> = anObject('ForgetReceipt', {
  id: mustHave(aText, 'The id of this forgetting, for `verifyForgotten`'),
  scope: mustHave(aText, 'The scope'),
  at: mustHave(anIsoTime, 'When it was done'),
  reason: mustHave(aText, 'Why it was done'),
  dryRun: mustHave(aFlag, 'Nothing was changed: the counts are what would be forgotten'),
  found: mustHave(aFlag, '`false` if no fact in the scope is about the subject that was named'),
  sessions: mustHave(aListOf(aText), 'Sessions in which something was forgotten, forks included'),
  messages: rows('Messages'),
  revisions: rows('Revisions of messages'),
  folds: rows('Compactions whose folds were written again without what was forgotten'),
  facts: rows('Facts'),
  versions: rows('Versions of those facts, the current ones included'),
  sources: rows('Sources of facts'),
  entities: rows('Entities'),
  proposals: rows('Proposals'),
  ids: mustHave(aListOf(aText), 'Ids of the facts'),
  passages: rows('Passages of the word index'),
  terms: rows('Words that were nowhere else'),
  vectors: rows('Vectors'),
  blobs: rows('Images and files'),
  operations: rows('Operation ids and request digests that made retries safe'),
  jobs: rows('Jobs'),
  state: rows('Values of the session state, earlier ones included'),
  answers: rows('Responses that a server kept for retries'),
  keys: rows('Data keys of encrypted sessions that were destroyed'),
  bytes: rows('Bytes of content, as it was stored'),
  remaining: rows('Messages that the forgotten facts were learned from and that are still there'),
  pending: mustHave(
    aListOf(oneOf(['keys', 'pages'])),
    'What is left to do; it is done automatically as soon as possible',
  ),
})

export const aPageCursor: Shape<string | null> = orNull(aText)

/** The moment that facts are read at. */
export const momentFields: FieldsOf<FactOptions> = {
  asOf: mayHave(aMoment, "What was known at this moment: a time, or a version of the scope's knowledge", 'now'),
  at: mayHave(aTime, 'What was true at this time', 'now, or the time of `asOf`'),
}
