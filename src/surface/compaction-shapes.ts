import type {
  CompactOutcome,
  CompactionReceipt,
  CompactionsOptions,
  FoldSummary,
  ListedCompaction,
  ReopenOptions,
  ReopenedPage,
  StepModelUsage,
  StepReport,
  TouchedMessage,
  WindowSize,
} from '../api/contexts.ts'
import type { Fold, Identifier, SeqRange } from '../domain/fold.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, RequiredField, Shape } from '../shape/shape.ts'
import { aCount, aFlag, aNull, aPosition, aText, aWholeNumber, anIsoTime, oneOf } from '../shape/values.ts'
import { aTrust } from './fact-shapes.ts'
import { aDraft, aMessage, aRole } from './message-shapes.ts'

const names: Shape<readonly string[]> = aListOf(aText, { wanted: 'an array of strings' })
const number = (help: string): RequiredField<number> => mustHave(aWholeNumber, help)

const range: Shape<SeqRange> = anObject('SeqRange', { from: number('The first'), through: number('The last') })
export const someRanges: Shape<readonly SeqRange[]> = aListOf(range)

const identifier: Shape<Identifier> = anObject('Identifier', {
  kind: mustHave(
    oneOf(['path', 'url', 'email', 'number', 'date', 'code', 'hash', 'quoted', 'error']),
    'What kind of thing it is',
  ),
  text: mustHave(aText, 'The identifier'),
  seqs: mustHave(aListOf(aWholeNumber), 'The messages that have it'),
  vital: mustHave(aFlag, 'The user said it, or it is part of an error'),
  trust: mustHave(aTrust, 'The trust of the best source that named it'),
})

const foldFields: FieldsOf<Omit<Fold, 'standIn' | 'ledger'>> = {
  id: mustHave(aText, 'Its id, derived from what it hides and how'),
  kind: mustHave(oneOf(['offload', 'truncate', 'merge', 'summary', 'drop']), 'What was done'),
  sources: mustHave(someRanges, 'The messages that it hides'),
  messages: number('How many messages it hides'),
  tokens: number('What it costs'),
  tokenizer: mustHave(aText, 'Who counted'),
  level: number('0 for a fold of messages, one more for a fold of folds'),
  by: mustHave(oneOf(['rule', 'extract', 'model']), 'How it was made'),
  trust: mustHave(aTrust, 'The trust of the least trusted thing that it hides'),
  answeredAt: number('The last message of the assistant that it hides; 0 if none'),
  firstAt: mustHave(anIsoTime, 'When the first of its messages was said'),
  lastAt: mustHave(anIsoTime, 'When the last of its messages was said'),
  omitted: number('Identifiers that the ledger had no room for'),
  tags: mustHave(names, 'Tags of its messages'),
  tools: mustHave(names, 'Tools that its messages use'),
}

export const aFold: Shape<Fold> = anObject('Fold', {
  ...foldFields,
  standIn: mustHave(aListOf(aDraft), 'The messages that replace what it hides'),
  ledger: mustHave(aListOf(identifier), 'Exact identifiers of what it hides'),
})

const windowSize: Shape<WindowSize> = anObject('WindowSize', {
  entries: number('How many messages and folds'),
  tokens: number('What they cost'),
})

const stepReport: Shape<StepReport> = anObject('StepReport', {
  stage: mustHave(aText, 'The name of the stage'),
  folds: number('How many folds it made'),
  tokensBefore: number('What the window cost before it'),
  tokensAfter: number('What the window cost after it'),
  skipped: mayHave(
    oneOf(['under-target', 'nothing-to-do', 'already-changed', 'all-refused']),
    'Why it did nothing; left out if it folded something',
  ),
  refused: number('Folds that were not smaller than what they would hide, or touched what they must not'),
  modelCalls: number('How often a model was called'),
  modelFailures: mustHave(names, 'Why the words of the model were not used, where they were not'),
  modelUsage: mayHave(
    anObject<StepModelUsage>('StepModelUsage', {
      inputTokens: mayHave(aWholeNumber, 'Tokens that were sent'),
      outputTokens: mayHave(aWholeNumber, 'Tokens that came back'),
    }),
    'What those calls cost, as far as the provider reported it',
  ),
})

const compactionReceipt: Shape<CompactionReceipt> = anObject('CompactionReceipt', {
  compaction: mustHave(either([aWholeNumber, aNull]), 'Its number, for `undo`; null for a dry run'),
  policy: mustHave(aText, 'The name of the policy'),
  through: number('The last message that it covers'),
  before: mustHave(windowSize, 'The window before it'),
  after: mustHave(windowSize, 'The window after it'),
  folds: mustHave(
    aListOf(
      anObject<FoldSummary>('FoldSummary', {
        ...foldFields,
        identifiers: number('How many identifiers its ledger has'),
      }),
    ),
    'The folds of the window',
  ),
  kept: mustHave(someRanges, 'The messages that stay'),
  hidden: mustHave(aListOf(identifier), 'Identifiers that could be seen before and cannot be seen now'),
  steps: mustHave(aListOf(stepReport), 'What each step did'),
  reached: mustHave(
    aFlag,
    "Whether the window came down to the low mark; if not, it is as far as the policy's steps go",
  ),
})

export const compactOutcome: Shape<CompactOutcome> = either(
  [
    anObject<Extract<CompactOutcome, { receipt: CompactionReceipt }>>(undefined, {
      type: mustHave(oneOf(['compacted', 'dry-run']), 'The window was compacted, or would be'),
      receipt: mustHave(compactionReceipt, 'What it kept and hid'),
    }),
    anObject<Extract<CompactOutcome, { type: 'cannot-reduce' }>>(undefined, {
      type: mustHave(oneOf(['cannot-reduce']), 'Nothing could be made smaller'),
      steps: mustHave(aListOf(stepReport), 'What each step tried'),
    }),
    anObject<Extract<CompactOutcome, { type: 'not-needed' | 'empty' }>>(undefined, {
      type: mustHave(oneOf(['not-needed', 'empty']), 'The window is small enough, or empty'),
    }),
  ],
  { name: 'CompactOutcome' },
)

export const compactionsOptions: Shape<CompactionsOptions> = anObject('CompactionsOptions', {
  limit: mayHave(aCount, 'At most this many of the newest', '100'),
})

export const listedCompaction: Shape<ListedCompaction> = anObject('ListedCompaction', {
  compaction: number('Its number, for `undo`'),
  at: mustHave(anIsoTime, 'When it was stored'),
  policy: mustHave(aText, 'The name of the policy'),
  of: mustHave(
    oneOf(['session', 'context']),
    '`session` for a compaction of the window, `context` for what a context folded for its own kind of call',
  ),
  room: mayHave(aWholeNumber, 'Of a context: its budget without the reserve'),
  through: number('The last message that it covers'),
  before: mustHave(windowSize, 'The window before it'),
  after: mustHave(windowSize, 'The window after it'),
  folds: mustHave(aListOf(aText), 'Ids of its folds, for `reopen`'),
  undone: mustHave(aFlag, 'Whether it was undone'),
})

export const reopenOptions: Shape<ReopenOptions> = anObject('ReopenOptions', {
  offset: mayHave(aPosition, 'How many characters of the text to skip', '0'),
  limit: mayHave(aCount, 'At most this many characters', '8,000'),
})

const touched: Shape<TouchedMessage> = anObject(undefined, {
  id: mustHave(aText, 'Its id'),
  seq: number('Its position'),
  role: mustHave(aRole, 'Who spoke'),
  at: mustHave(anIsoTime, 'When it was said'),
  imported: mayHave(oneOf([true]), 'It was imported from elsewhere'),
})

export const reopenedPage: Shape<ReopenedPage> = anObject('ReopenedPage', {
  fold: mustHave(aText, 'The id of the fold'),
  messages: mustHave(aListOf(aMessage), 'The original messages that end on this page'),
  touches: mustHave(aListOf(touched), 'Which messages have text on this page, and when they were said'),
  text: mustHave(aText, 'The page itself: the text of the messages one after the other, cut by characters'),
  total: number('How many characters the whole text has'),
  next: mustHave(either([aWholeNumber, aNull]), 'The `offset` of the next page; null on the last'),
})
