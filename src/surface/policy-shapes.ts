import type {
  Bounds,
  DropStep,
  HighBounds,
  Mark,
  MergeStep,
  OffloadStep,
  Policy,
  PolicyName,
  Region,
  StageStep,
  SummariseFoldsStep,
  SummariseRangeStep,
  SummariseRoundsStep,
  SummarySizeOptions,
  Teller,
  TruncateResultsStep,
} from '../api/policy.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import { aFlag, aNumber, oneOf, someText } from '../shape/values.ts'

const anAmount: Shape<number> = aNumber({ min: 0 }, 'a number, 0 or greater')
const aTeller: Shape<Teller> = oneOf(['user', 'assistant'])

const amount = (help: string, whenLeftOut: string): OptionalField<number> => mayHave(anAmount, help, whenLeftOut)
const yes = (help: string): OptionalField<boolean> => mayHave(aFlag, help, 'false')
const stage = <T extends string>(name: T): RequiredField<T> => mustHave(oneOf([name]), 'The name of the stage')
const unit = <T extends string>(name: T): RequiredField<T> => mustHave(oneOf([name]), 'What becomes one summary')

const region: FieldsOf<Region> = {
  where: mayHave(
    oneOf(['before-answer', 'before-newest-user', 'current-round', 'everywhere']),
    'Where to look: before the newest final reply, before the newest user message, after it, or everywhere',
    "'everywhere'",
  ),
  keepLast: amount('Entries at the end that stay as they are', '0'),
  keepRounds: amount(
    'The newest rounds of the assistant that stay as they are: its message with all results, and what follows',
    '0',
  ),
  keepTokens: amount('The newest tokens that stay as they are, at most half of the target', '0'),
  olderThanMs: amount('Only what was said this many milliseconds before the newest entry', '0'),
}

const summarySize: FieldsOf<SummarySizeOptions> = {
  tokensMax: amount('At most this many tokens for one summary', '1000'),
  ratio: amount('At most this share of what it replaces', '0.3'),
  role: mayHave(aTeller, 'Who the summary speaks as', "'user'"),
  vitalShare: amount(
    'The share of the summary for identifiers that must stay visible: what the user said, and errors',
    '0.5',
  ),
  split: yes('Write two messages: what the user asked as the user, all else as the assistant'),
}

const offload: Shape<OffloadStep> = anObject('OffloadStep', {
  stage: stage('offload'),
  ...region,
  overCharacters: amount(
    'A message with more than this many characters or bytes of payload loses the largest ones',
    '5120',
  ),
  previewCharacters: amount(
    'How many characters of the payload a stub shows: two thirds from its start, one third from its end',
    '200',
  ),
  vitalCharacters: amount('Characters for identifiers that must stay visible, in each stub; 0 for none', '240'),
  retell: yes('Let a model write a short form in place of the first and last lines'),
})

const merge: Shape<MergeStep> = anObject('MergeStep', {
  stage: stage('merge'),
  ...region,
  runOver: amount('Only runs of more messages than this', '6'),
  tokensMin: amount('Only runs of at least this many tokens', '5000'),
  runsMax: amount('At most this many runs at a time, the oldest first', '5'),
  tokensMax: amount('At most this many tokens for a record, and never more than half of what it replaces', '1500'),
  role: mayHave(aTeller, 'Who the record speaks as', "'user'"),
  vitalCharacters: amount('Characters for identifiers that must stay visible; 0 for none', '600'),
})

const truncateResults: Shape<TruncateResultsStep> = anObject('TruncateResultsStep', {
  stage: stage('truncate-results'),
  ...region,
  tokensMax: amount('At most this many tokens for all results of one message', 'no limit'),
  charactersMax: amount('At most this many characters for one result', 'no limit'),
  savesMin: amount('Do nothing if it would save fewer tokens than this', '0'),
  vitalCharacters: amount('Characters for errors that must stay visible, in each result; 0 for none', '240'),
})

const summariseRounds: Shape<SummariseRoundsStep> = anObject('SummariseRoundsStep', {
  stage: stage('summarise'),
  unit: unit('round'),
  ...region,
  ...summarySize,
  keepUser: yes("Keep the user's message as it is and summarise only what followed"),
  tokensMin: amount("Only rounds of at least this many tokens, without the user's message", '0'),
  between: yes('Only rounds that had something between the request and the reply'),
  take: mayHave(oneOf(['all', 'to-target']), 'All rounds, or the oldest until the target is met', "'all'"),
})

const summariseRange: Shape<SummariseRangeStep> = anObject('SummariseRangeStep', {
  stage: stage('summarise'),
  unit: unit('range'),
  ...region,
  ...summarySize,
  keepUser: yes('Keep user messages as they are'),
  take: mayHave(
    oneOf(['all', 'half', 'to-target']),
    'Everything, the older half of the entries, or the oldest until the target is met',
    "'all'",
  ),
  entriesOver: amount('Do nothing in a window of no more entries than this', '0'),
  savesMin: amount('Do nothing if it would save fewer tokens than this', '0'),
})

const summariseFolds: Shape<SummariseFoldsStep> = anObject('SummariseFoldsStep', {
  stage: stage('summarise'),
  unit: unit('folds'),
  ...region,
  summaryTokensMax: amount(
    'At most this many tokens for all summaries, and never more than three fifths of the target',
    '4000',
  ),
  foldsMin: amount('At least this many summaries of one level become one of the next', '3'),
  foldsMax: amount('At most this many summaries of one level become one of the next', '6'),
  role: mayHave(aTeller, 'Who the summary speaks as', "'user'"),
  tokensMax: amount('At most this many tokens for one summary', '2000'),
  ratio: amount('At most this share of what it replaces: summaries are dense, so less of them can go', '0.5'),
  vitalShare: amount('The share of the summary for identifiers that must stay visible', '0.8'),
})

const drop: Shape<DropStep> = anObject('DropStep', {
  stage: stage('drop'),
  ...region,
  mode: mayHave(
    oneOf(['contiguous', 'skip']),
    'The oldest turns until the target is met, or whatever does not fit when packing from the newest backwards',
    "'contiguous'",
  ),
})

const aStageStep: Shape<StageStep> = either(
  [offload, merge, truncateResults, summariseRounds, summariseRange, summariseFolds, drop],
  { name: 'StageStep', wanted: 'an object with a stage' },
)

const aMark: Shape<Mark> = either(
  [
    anObject<{ readonly tokens: number }>(undefined, { tokens: mustHave(anAmount, 'In tokens') }),
    anObject<{ readonly ratio: number }>(undefined, { ratio: mustHave(anAmount, 'As a share of the budget') }),
  ],
  { name: 'Mark', wanted: '{ tokens } or { ratio }, a number, 0 or greater' },
)

const bounds: FieldsOf<Bounds> = {
  mark: mayHave(aMark, 'In tokens, or as a share of the budget'),
  entries: mayHave(anAmount, 'In messages, whole or shortened, and records of tool work'),
}

const lowBounds: Shape<Bounds> = anObject('Bounds', bounds, { wanted: 'an object with mark or entries' })

const highBounds: Shape<HighBounds> = anObject(
  'HighBounds',
  { ...bounds, reached: yes('Start when a bound is reached, instead of when it is passed') },
  { wanted: 'an object with mark or entries' },
)

const policy: Shape<Policy> = anObject('Policy', {
  name: mustHave(someText, 'What receipts call it'),
  high: mustHave(highBounds, 'Compaction starts when the window has passed one of these; without any, never by itself'),
  low: mustHave(lowBounds, 'Compaction ends when the window is within all of these; without any, after the last step'),
  steps: mustHave(aListOf(aStageStep, { wanted: 'a list of stages' }), 'The stages, in the order they run'),
  advance: mustHave(
    oneOf(['until-low', 'first-change'], { wanted: 'until-low or first-change' }),
    'Whether later steps run once one has changed something: until the low mark is reached, or not this time',
  ),
  importance: mayHave(
    aNumber({ min: 0, max: 1 }, 'a share from 0 to 1'),
    'The share of the room in which messages with `metadata.important: true` stay although they are old, newest first; 0 for none',
    '0.2',
  ),
})

const policyName: Shape<PolicyName> = oneOf(['recency', 'autoContext', 'rolling', 'managed', 'balanced'], {
  meanings: {
    recency: 'Never compacts: each context has all system messages and the newest messages that fit',
    autoContext: 'Six steps, cheapest first, one change at a time; starts at 100 messages or 98,304 tokens',
    rolling: 'Over 50 entries, all but the newest 30 become a summary; over 100,000 tokens, the older half',
    managed: 'From 150,000 tokens: shortens tool results, summarises, then drops the oldest',
    balanced: 'The default: at 80 % of the budget down to 50 %, cheapest steps first',
  },
})

/** How to compact: one of the policies that come with Daybook, or one of your own. */
export const aPolicy: Shape<PolicyName | Policy> = either([policyName, policy], {
  wanted: 'one of recency, autoContext, rolling, managed, balanced, or a policy',
})
