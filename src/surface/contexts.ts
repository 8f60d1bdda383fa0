import type {
  BlockLine,
  ByteLimit,
  CompactOptions,
  Context,
  ContextCache,
  ContextOptions,
  ContextRecall,
  ContextReceipt,
  ContextTokens,
  FoldedLine,
  KeptLine,
  LeftOutLine,
  ListedCompaction,
  Pins,
  ReceiptLine,
} from '../api/contexts.ts'
import { type Dialect, dialects } from '../domain/dialect.ts'
import type { Fold } from '../domain/fold.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Message } from '../domain/message.ts'
import { type Plan, type PlanStep, planStates } from '../domain/plan.ts'
import { aListOf, either } from '../shape/combine.ts'
import { aMapOf, anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import {
  aCount,
  aFlag,
  aJson,
  aMoment,
  aNull,
  aNumber,
  aText,
  aTime,
  aWholeNumber,
  anId,
  oneOf,
  someText,
} from '../shape/values.ts'
import { aTrust } from './fact-shapes.ts'
import { aDraft, aMessage } from './message-shapes.ts'
import { asOfOptions } from './messages.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SESSION } from './paths.ts'
import { aPolicy } from './policy-shapes.ts'
import { aKindList, aRoleList, recallItem } from './recall.ts'
import {
  aFold,
  compactOutcome,
  compactionsOptions,
  listedCompaction,
  reopenOptions,
  reopenedPage,
  someRanges,
} from './compaction-shapes.ts'

const aDialect: Shape<Dialect> = oneOf(dialects)
const names: Shape<readonly string[]> = aListOf(aText, { wanted: 'an array of strings' })
const number = (help: string): RequiredField<number> => mustHave(aWholeNumber, help)

export const pins: Shape<Pins> = anObject('Pins', {
  messages: mayHave(names, 'Ids of messages that are in every context'),
  tags: mayHave(names, 'Tags whose messages are in every context', "['pinned']"),
  tools: mayHave(names, 'Tools whose calls and results are in every context'),
  exemptTools: mayHave(
    names,
    'Tools whose calls and results are never shortened or summarised; when they are old, they may leave the window',
  ),
})

const planStep: Shape<PlanStep> = anObject('PlanStep', {
  title: mustHave(aText, 'What is to be done'),
  state: mustHave(oneOf(planStates, { wanted: `a state: ${planStates.join(', ')}` }), 'How far it has come'),
  tag: mayHave(aText, 'Messages with this tag are in every context while the step is open'),
  result: mayHave(aText, 'What the result was'),
})

export const aPlan: Shape<Plan> = anObject('Plan', {
  goal: mustHave(aText, 'What the plan is for'),
  steps: mustHave(aListOf(planStep, { wanted: 'a list of steps with title and state' }), 'The steps'),
  outcome: mayHave(aText, 'What there will be when it is done'),
})

const contextRecall: Shape<ContextRecall> = anObject('ContextRecall', {
  query: mayHave(aText, 'The question', 'what the user said last'),
  budget: mayHave(
    aCount,
    'At most this many tokens of recalled text',
    "a tenth of the context's budget, at most 1,000; of a small budget a quarter",
  ),
  deadlineMs: mayHave(aCount, 'How many milliseconds a context waits for it', '2,000'),
  text: mayHave(
    aText,
    'A block that was recalled before, for an earlier step of the same turn: it is shown again, and nothing is looked for',
    'none',
  ),
  kinds: mayHave(aKindList, 'Which kinds of things to look for', 'all: message, fold and fact'),
  limit: mayHave(aCount, 'At most this many items', '10, or as many as fit when there is a budget'),
  since: mayHave(aTime, 'Only what was said at this time or later'),
  until: mayHave(aTime, 'Only what was said before this time'),
  ancestors: mayHave(aFlag, "Include messages and summaries of the scope's ancestors", 'false'),
  roles: mayHave(
    aRoleList,
    'Find messages of these roles only; system prompts only if named',
    'user, assistant and tool',
  ),
})

const byteLimit: Shape<ByteLimit> = anObject('ByteLimit', {
  dialect: mustHave(aDialect, 'The dialect whose JSON is measured'),
  max: mustHave(aCount, 'At most this many bytes'),
})

/** What a context is built for. */
export const contextOptionFields: FieldsOf<ContextOptions> = {
  budget: mayHave(
    aCount,
    'The largest number of input tokens for the whole request',
    'what the window of the model leaves when there is room for a reply',
  ),
  model: mayHave(anId, 'The name of the model, which decides how tokens are counted and how large a context may be'),
  system: mayHave(
    someText,
    'Instructions that come first and are not stored with the messages: they are code, and change with each deploy',
    'none',
  ),
  reserve: mayHave(aWholeNumber, 'How many tokens of the budget to leave for tools and the reply', '0'),
  policy: mayHave(
    aPolicy,
    'How to compact the window when it is too large: a name, or a policy of your own',
    "'balanced'",
  ),
  pins: mayHave(pins, 'What must be in every context'),
  plan: mayHave(either([aPlan, oneOf([false])]), "The state of the agent's plan", "the `plan` of the session's state"),
  blocks: mayHave(
    either([aFlag, oneOf(['frozen'])]),
    'The blocks of the session and its scopes after the system text: `frozen` as they were when the session began, `false` for none',
    'true',
  ),
  recall: mayHave(
    either([aFlag, contextRecall]),
    'Add what is remembered elsewhere about what the user said last, as quoted data that is not stored with the messages',
    'false',
  ),
  bytes: mayHave(byteLimit, 'A limit in bytes for the messages in one dialect', 'none'),
  strict: mayHave(aFlag, 'Fail if a message would be shown in part because the whole does not fit', 'false'),
  compact: mayHave(aFlag, 'Store what is folded; with `false` nothing is stored and no model is called', 'true'),
  shrink: mayHave(
    aFlag,
    'After a provider returned "too long": compact first in any case, and fill only three quarters of the budget',
    'false',
  ),
  asOf: mayHave(
    aMoment,
    'Rebuild the context that the session would have had at this moment: nothing is stored, and nothing can be recalled',
    'now',
  ),
}

export const contextOptions: Shape<ContextOptions> = anObject('ContextOptions', contextOptionFields)

const line: Shape<ReceiptLine> = either(
  [
    anObject<KeptLine>('KeptLine', {
      type: mustHave(oneOf(['kept']), 'It is in the context'),
      seq: number('Its position in the log'),
      id: mustHave(aText, 'Its id'),
      as: mustHave(oneOf(['system', 'pinned', 'important', 'newest-turn', 'recent', 'fold']), 'Why it is where it is'),
      tokens: number('What it costs'),
    }),
    anObject<FoldedLine>('FoldedLine', {
      type: mustHave(oneOf(['folded']), 'A fold represents them'),
      sources: mustHave(someRanges, 'Their positions in the log'),
      fold: mustHave(aText, 'The id of the fold, for `reopen`'),
      why: mustHave(oneOf(['compacted', 'too-large']), 'Why they are folded'),
      trust: mustHave(aTrust, 'The trust of the least trusted thing that it hides'),
      tokens: number('What the fold costs'),
    }),
    anObject<LeftOutLine>('LeftOutLine', {
      type: mustHave(oneOf(['left-out']), 'They are not in the context'),
      sources: mustHave(someRanges, 'Their positions in the log'),
      id: mayHave(aText, 'The id with which `reopen` reads them'),
      why: mustHave(oneOf(['over-budget', 'unsafe-start', 'plan-over-budget']), 'Why they were left out'),
      tokens: number('What they would cost'),
    }),
  ],
  { name: 'ReceiptLine' },
)

export const contextTokens: Shape<ContextTokens> = anObject('ContextTokens', {
  total: number('What the request costs at most, as far as this context goes'),
  budget: number('The budget that was given'),
  reserve: number('What was left for tools and the reply'),
  system: number('System messages'),
  blocks: number('Blocks'),
  pinned: number('Pinned and important messages'),
  folds: number('Folds'),
  messages: number('Other messages'),
  recalled: number('Recalled text'),
  plan: number('The plan'),
  framing: mustHave(
    aNumber(),
    'What is none of these: repairs (which may also save some), the start of the reply, and the margin of an estimate',
  ),
  exact: mustHave(aFlag, "Whether the counts are the model's own"),
})

const blockLine: Shape<BlockLine> = anObject('BlockLine', {
  name: mustHave(aText, 'Its name'),
  scope: mustHave(aText, 'The scope that has it'),
  session: mayHave(aText, 'The session that has it; missing if it belongs to the scope'),
  version: number('Its version'),
  shown: mustHave(aFlag, 'Whether it is in the context; if not, the budget did not hold it beside what must be there'),
  tokens: number('What it costs'),
})

export const receiptOfContext: Shape<ContextReceipt> = anObject('ContextReceipt', {
  lines: mustHave(aListOf(line), 'What happened with each entry of the window'),
  blocks: mustHave(aListOf(blockLine), 'The blocks, in the order of the context'),
  tokens: mustHave(contextTokens, 'What the context costs, by kind'),
  bytes: number('The size of the messages in the dialect whose bytes were limited; 0 if none were'),
  repairs: mustHave(names, 'What had to be repaired so that every provider accepts it'),
})

export const contextCache: Shape<ContextCache> = anObject('ContextCache', {
  equalTokens: number('Tokens of the leading messages that are equal to those of the previous context'),
  totalTokens: number('Tokens of all messages'),
  firstDifference: mustHave(
    either([aWholeNumber, aNull]),
    'Index of the first message that differs from the previous context; null if none does',
  ),
  breakpoints: mustHave(
    aListOf(aWholeNumber),
    'Indexes of the messages after which a cache breakpoint pays, at most 4',
  ),
})

/** A context as it is sent: the dialect that was asked for is a field of its own. */
type SentContext = Omit<Context, 'as'> & { readonly [Key in Dialect]?: JSONValue } & {
  readonly blobs?: Readonly<Record<string, string>>
}

const dialectField: OptionalField<JSONValue> = mayHave(aJson, 'The messages in this dialect, if it was asked for')

const sentContext: Shape<SentContext> = anObject('SentContext', {
  messages: mustHave(aListOf(aDraft), 'The messages'),
  tokens: number('What they cost at most, in tokens'),
  receipt: mustHave(receiptOfContext, 'What the context is made of, and what was left out'),
  cache: mustHave(contextCache, "What a provider's prompt cache can reuse of the previous context"),
  recalled: mustHave(aListOf(recallItem), 'What was recalled into it, with reasons and sources'),
  rebuilt: mayHave(oneOf([true]), 'It was rebuilt for an earlier moment, from the log: what was sent then may differ'),
  blobs: mayHave(aMapOf(aText), 'The bytes of its images and files in base64 by hash, if they were asked for'),
  ...(Object.fromEntries(dialects.map((dialect) => [dialect, dialectField])) as Record<Dialect, typeof dialectField>),
})

const compactOptions: Shape<CompactOptions> = anObject('CompactOptions', {
  policy: mayHave(aPolicy, 'How to compact the window: a name, or a policy of your own', "'balanced'"),
  budget: mayHave(aCount, 'The number of tokens that the percentages of the policy refer to', '128,000'),
  force: mayHave(aFlag, 'Compact even if the window is not large enough yet', 'false'),
  dryRun: mayHave(aFlag, 'Only return the receipt', 'false'),
  pins: mayHave(pins, 'What must be in every context'),
})

export const contextOperations: Readonly<
  Record<'build' | 'window' | 'compact' | 'undo' | 'compactions' | 'reopen', Operation>
> = noun('contexts', {
  build: {
    help: 'Build the messages for one call of a model, within a budget and valid for every provider',
    attempt: 'build a context',
    call: 'context',
    can: 'read',
    method: 'post',
    path: `${SESSION}/context`,
    options: contextOptions,
    sends: {
      dialect: mayHave(aDialect, 'Return the messages in this dialect too'),
      cacheMarks: mayHave(aFlag, "With `dialect`: put Anthropic's `cache_control` at the breakpoints", 'false'),
      blobs: mayHave(aFlag, 'Return the bytes of images and files too', 'false'),
      description: mayHave(someText, 'What a session that does not exist yet will start with'),
    },
    answer: sentContext,
    writes: false,
  },
  window: {
    help: 'Read what is live: the folds and messages that the last compaction left, then every message after it',
    attempt: 'read the window',
    call: 'window',
    can: 'read',
    method: 'get',
    path: `${SESSION}/window`,
    options: asOfOptions,
    answer: anObject<{ readonly window: readonly (Message | Fold)[] }>(undefined, {
      window: mustHave(
        aListOf(either([aMessage, aFold]) as Shape<Message | Fold>),
        'Folds and messages, in the order of the conversation',
      ),
    }),
    as: 'window',
    writes: false,
  },
  compact: {
    help: 'Make the window of the session smaller now. The log does not change, and `undo` restores the window',
    attempt: 'compact',
    call: 'compact',
    can: 'write',
    method: 'post',
    path: `${SESSION}/compact`,
    options: compactOptions,
    answer: compactOutcome,
    writes: true,
    repeat: 'by-version',
  },
  undo: {
    help: 'Undo the last compaction, or a given one and those after it',
    attempt: 'undo',
    call: 'undo',
    can: 'write',
    method: 'post',
    path: `${SESSION}/undo`,
    takes: { compaction: mayHave(aCount, 'The number of the compaction', 'the last one') },
    answer: anObject<{ readonly undone: readonly number[] }>(undefined, {
      undone: mustHave(aListOf(aWholeNumber), 'The compactions that were undone, newest first'),
    }),
    as: 'undone',
    writes: true,
    repeat: 'by-version',
  },
  compactions: {
    help: 'List the compactions of a session, newest first: its own, and those of its contexts',
    attempt: 'list compactions',
    call: 'compactions',
    can: 'read',
    method: 'get',
    path: `${SESSION}/compactions`,
    options: compactionsOptions,
    answer: anObject<{ readonly compactions: readonly ListedCompaction[] }>(undefined, {
      compactions: mustHave(aListOf(listedCompaction), 'The compactions, newest first'),
    }),
    as: 'compactions',
    writes: false,
  },
  reopen: {
    help: 'Read the original messages behind a fold, or a message such as `message-12`, by page of characters',
    attempt: 'reopen',
    call: 'reopen',
    can: 'read',
    method: 'get',
    path: `${SESSION}/folds/{fold}`,
    takes: { fold: mustHave(anId, 'The id of the fold') },
    options: reopenOptions,
    answer: reopenedPage,
    writes: false,
  },
})
