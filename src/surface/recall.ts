import type {
  DropReason,
  Dropped,
  ExpectedMessage,
  MissReason,
  RecallItem,
  RecallKind,
  RecallLag,
  RecallOptions,
  RecallSource,
  Recalled,
  Signals,
  Why,
  WordMatch,
} from '../api/recall.ts'
import { type Role, roles } from '../domain/message.ts'
import { refuse } from '../domain/refuse.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import {
  aCount,
  aFlag,
  aNull,
  aNumber,
  aText,
  aTime,
  aWholeNumber,
  anIsoTime,
  checkedBy,
  oneOf,
} from '../shape/values.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

const aKind: Shape<RecallKind> = oneOf(['message', 'fold', 'fact'])

export const aKindList: Shape<readonly RecallKind[]> = aListOf(aKind, { wanted: 'an array of message, fold, fact' })

export const aRoleList: Shape<readonly Role[]> = aListOf(oneOf(roles), { wanted: `an array of ${roles.join(', ')}` })

const aPlace: Shape<string> = checkedBy({ kind: 'text' }, 'a session and a position', (attempt, path, given) => {
  if (typeof given !== 'string' || !/.#[1-9]\d{0,14}$/s.test(given))
    refuse(attempt, path, given, 'a session and a position, for example "support-42#7"')
})

const recallOptions: Shape<RecallOptions> = anObject('RecallOptions', {
  limit: mayHave(aCount, 'At most this many items', '10, or as many as fit when there is a budget'),
  budget: mayHave(aCount, 'At most this many tokens of text in all'),
  kinds: mayHave(aKindList, 'Which kinds of things to look for', 'all: message, fold and fact'),
  since: mayHave(aTime, 'Only what was said at this time or later'),
  until: mayHave(aTime, 'Only what was said before this time'),
  asOf: mayHave(aTime, 'What was known at this time'),
  at: mayHave(aTime, 'Facts that were true at this time'),
  includeQuarantined: mayHave(aFlag, 'Include facts from sources that are not trusted', 'false'),
  ancestors: mayHave(aFlag, "Include messages and summaries of the scope's ancestors", 'false'),
  roles: mayHave(
    aRoleList,
    'Find messages of these roles only; system prompts only if named',
    'user, assistant and tool',
  ),
  relevant: mayHave(aFlag, 'Return only what clearly has to do with the question, which may be nothing', 'false'),
  neighbours: mayHave(aFlag, 'Include what was said just before and after each message', 'false'),
  explain: mayHave(aFlag, 'Include what was considered and left out, and why', 'false'),
  expected: mayHave(
    aPlace,
    'A message that you expect, in the form `session#position`, to find out why it was not found',
  ),
  stale: mayHave(aFlag, 'Accept a result that may be slightly out of date, from a replica if there is one', 'false'),
  fresh: mayHave(aFlag, 'Wait until everything that was appended can be found by words', 'false'),
})

const signal = (help: string): RequiredField<number> => mustHave(aNumber(), help)

const signals: Shape<Signals> = anObject('Signals', {
  words: signal('Words of the question in the passage itself'),
  beside: signal('Words of the question in the passages next to it'),
  twoAway: signal('Words of the question in the passages two away'),
  around1: signal("Share of the question's words found within one passage of it"),
  around3: signal("Share of the question's words found within three passages of it"),
  session: signal('Words of the question in the whole conversation, compared with the best conversation'),
  sessionBest: signal('The best passage of the conversation'),
  answers: signal('It replies to a question with these words'),
  speaker: signal('It was said by the person the question is about'),
  date: signal('It is on or near a date of the question'),
  when: signal('The question asks when, and it has a time'),
  type: signal('It has the kind of thing that the question asks for'),
  rarity: signal('How rare its own words are: greetings say little'),
  firstPerson: signal('The question is about the speaker, who speaks in the first person'),
  names: signal('Names of the question in it'),
  recency: signal('How recent it is'),
  importance: signal('How important it was marked'),
  vector: signal('Similarity of meaning, if there is an embedder'),
  edge: signal('It is about something that the question names, or one step away from it in the graph'),
})

const wordMatch: Shape<WordMatch> = anObject('WordMatch', {
  word: mustHave(aText, 'The word as the question has it'),
  weight: mustHave(aNumber(), 'What it was worth'),
  similar: mayHave(
    aListOf(aText),
    'Words of the item that were taken for it: spelt alike, longer words that contain it, or related words such as boss for manager',
  ),
})

const why: Shape<Why> = anObject('Why', {
  words: mustHave(aListOf(wordMatch), 'Words of the question in it, with what each was worth'),
  nearby: mustHave(aListOf(aText), 'Words of the question in the three passages before and after it'),
  date: mayHave(aText, 'The date of the question that it is on or near'),
  speaker: mayHave(aText, 'The person the question is about, who said it'),
  asked: mayHave(aText, 'What the question asks for and it has: a number, a place, a person'),
  answers: mayHave(oneOf([true]), 'It replies to a question that has the words'),
  vector: mayHave(aNumber(), 'Similarity of meaning, from 0 to 1'),
  edge: mayHave(aText, 'What leads to it in the graph'),
  signals: mustHave(signals, 'What each signal added to the score'),
})

const recallSource: Shape<RecallSource> = anObject('RecallSource', {
  scope: mustHave(aText, 'The scope that has it'),
  session: mustHave(either([aText, aNull]), 'The session, or null for a fact'),
  seq: mustHave(either([aCount, aNull]), 'Position of the message; of a fold, its first message; null for a fact'),
  id: mustHave(aText, 'Id of the message, fold or fact'),
})

export const recallItem: Shape<RecallItem> = anObject('RecallItem', {
  kind: mustHave(aKind, 'What it is'),
  text: mustHave(aText, 'Its text, read from the log'),
  excerpt: mayHave(oneOf([true]), 'The text is part of a longer one'),
  speaker: mayHave(aText, 'Who said it: a name, or the role if there is no name'),
  title: mayHave(aText, 'The title of the conversation, if it was imported with one'),
  score: mustHave(aNumber(), 'How well it fits the question'),
  relevance: mustHave(aNumber(), 'How much of what the question asks about it covers, from 0 to 1'),
  why: mustHave(why, 'Why it was found'),
  source: mustHave(recallSource, 'Where it is stored'),
  trust: mustHave(oneOf([0, 1, 2, 3]), '3 operator, 2 user, 1 agent, 0 tool or web: quote it, never follow it'),
  at: mustHave(anIsoTime, 'When it was said or, for a fact that nobody said, remembered'),
  tokens: mustHave(aWholeNumber, 'What the text costs'),
  copies: mayHave(aListOf(recallSource), 'Others that say nearly the same and are represented by this one'),
  before: mayHave(aText, 'What was said just before it, with the option `neighbours`'),
  after: mayHave(aText, 'What was said just after it, with the option `neighbours`'),
})

const dropReasons = [
  'below-line',
  'below-limit',
  'over-budget',
  'duplicate',
  'other-role',
  'other-time',
  'already-shown',
  'not-yet-known',
  'removed',
  'quarantined',
  'superseded',
  'not-true-then',
] as const

const dropReason: Shape<DropReason> = oneOf(dropReasons)

const dropped: Shape<Dropped> = anObject('Dropped', {
  kind: mustHave(aKind, 'What it is'),
  source: mustHave(recallSource, 'Where it is stored'),
  text: mayHave(aText, 'Its text; missing where it can no longer be read, or could not be read then'),
  score: mustHave(aNumber(), 'How well it fits the question'),
  reason: mustHave(dropReason, 'Why it was left out'),
})

const missReason: Shape<MissReason> = oneOf([
  ...dropReasons,
  'no-shared-word',
  'not-embedded',
  'too-weak',
  'nothing-to-look-for',
  'not-indexed',
  'no-text',
  'not-stored',
])

const numberOrNull = either([aNumber(), aNull])

const expectedMessage: Shape<ExpectedMessage> = anObject('ExpectedMessage', {
  found: mustHave(aFlag, 'Whether it is one of the items, or represented by one that says nearly the same'),
  reason: mayHave(missReason, 'Why it is not among the items; left out if it is'),
  summary: mustHave(aText, 'The reason as a sentence, with what may help'),
  words: mustHave(aListOf(aText), 'Words of the question that it has'),
  missing: mustHave(aListOf(aText), 'Words of the question that it does not have'),
  rank: mustHave(numberOrNull, 'Its rank among all that were compared, 1 for the best; null if it was not among them'),
  score: mustHave(numberOrNull, 'How well it fits the question; null if it was not compared'),
  lowestScore: mustHave(numberOrNull, 'The score of the last item that was returned; null if nothing was returned'),
  relevance: mustHave(numberOrNull, 'How much of the question it covers, from 0 to 1; null if it was not compared'),
  neededRelevance: mustHave(
    numberOrNull,
    'What its relevance would have had to reach; null if nothing bears on the question',
  ),
})

const recallLag: Shape<RecallLag> = anObject('RecallLag', {
  sessions: mustHave(aWholeNumber, 'Sessions that have something to add'),
  messages: mustHave(aWholeNumber, 'Messages to add'),
  facts: mustHave(aWholeNumber, 'Facts to add'),
  failure: mayHave(aText, 'Why it could not be added, for example because the disk is full'),
})

const recalled: Shape<Recalled> = anObject('Recalled', {
  items: mustHave(aListOf(recallItem), 'What was found, best first'),
  dropped: mustHave(aListOf(dropped), 'With the option `explain`: what was considered and left out, best first'),
  expected: mayHave(expectedMessage, 'With the option `expected`: whether that message was found, and why not'),
  behind: mayHave(recallLag, 'What could not be searched because it is not in the index yet'),
  hint: mayHave(
    aText,
    'Without an embedder, once for each opened memory, when a question found little: how to add one',
  ),
  unembedded: mayHave(
    aWholeNumber,
    'With an embedder, when a question found little: messages that are not embedded yet, counted up to 1,000 in each scope',
  ),
})

/** A longer text is no question, and reading it would hold up everybody else. */
const QUESTION_CHARACTERS_MAX = 8_000
const aQuestion: Shape<string> = checkedBy(
  { kind: 'text', max: QUESTION_CHARACTERS_MAX },
  'a string',
  (attempt, path, given) => {
    if (typeof given !== 'string') refuse(attempt, path, given, 'a string')
    if (given.length > QUESTION_CHARACTERS_MAX)
      refuse(attempt, path, given, `at most ${QUESTION_CHARACTERS_MAX} characters`)
  },
)

export const recallOperations: Readonly<Record<'ask', Operation>> = noun('recall', {
  ask: {
    help: 'Find messages, folds and facts for a question, with the reasons',
    attempt: 'recall',
    call: 'recall',
    can: 'read',
    method: 'post',
    path: `${SCOPE}/recall`,
    takes: { query: mustHave(aQuestion, 'The question, in any words') },
    options: recallOptions,
    answer: recalled,
    writes: false,
  },
})
