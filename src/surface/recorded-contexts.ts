import type { CacheSimulation } from '../api/cache.ts'
import type {
  ContextFigures,
  ContextRecord,
  RecordedContext,
  RecordedContextOptions,
  RecordedContextsOptions,
  TokenBucket,
  TokenHistoryOptions,
} from '../api/kept-contexts.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, RequiredField, Shape } from '../shape/shape.ts'
import { aCountUpTo, aFlag, aNull, aNumber, aText, aWholeNumber, anId } from '../shape/values.ts'
import { contextCache, contextOptionFields, receiptOfContext, contextTokens } from './contexts.ts'
import { aDraft } from './message-shapes.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SESSION } from './paths.ts'
import { recallItem } from './recall.ts'
import { simulateCacheCall } from './simulate-cache.ts'

const CONTEXTS = `${SESSION}/contexts`
const LIST_MAX = 1_000
const BUCKETS_MAX = 500

const number = (help: string): RequiredField<number> => mustHave(aWholeNumber, help)

const listOptions: Shape<RecordedContextsOptions> = anObject('RecordedContextsOptions', {
  limit: mayHave(aCountUpTo(LIST_MAX), 'At most this many of the newest, up to 1,000', '100'),
  before: mayHave(anId, 'Only those recorded before this one, by id: for the next page'),
})

const common: FieldsOf<ContextFigures> = {
  id: mustHave(aText, 'Its id, for `contextAt`'),
  at: mustHave(aText, 'When it was built'),
  version: number('The version of the log that it was built from'),
  lastSeq: number('The last message of the log at that time'),
  model: mayHave(aText, 'The name of the model, if one was given'),
  policy: mustHave(aText, 'The name of the policy'),
  highMark: mayHave(aWholeNumber, 'At how many tokens of the window the policy compacts, as far as it says so'),
  lowMark: mayHave(aWholeNumber, 'Down to how many tokens it compacts, as far as it says so'),
  tokens: mustHave(contextTokens, 'What it costs, by kind'),
  cache: mustHave(contextCache, "What a provider's prompt cache could reuse of the context before it"),
  missed: number(
    'How many contexts of this session were built before it and not recorded, because too much else was to be written',
  ),
}

const recordedContext: Shape<RecordedContext> = anObject('RecordedContext', {
  ...common,
  messages: number('How many messages it has'),
  digest: mustHave(aText, 'The SHA-256 of its messages, in hexadecimal'),
})

const { system: _system, plan: _plan, compact: _compact, asOf: _asOf, ...recordedFields } = contextOptionFields

const recordedOptions: Shape<RecordedContextOptions> = anObject('RecordedContextOptions', recordedFields)

const contextRecord: Shape<ContextRecord> = anObject('ContextRecord', {
  ...common,
  digest: mustHave(aText, 'The SHA-256 of the messages that were handed out, in hexadecimal'),
  messages: mustHave(aListOf(aDraft), 'The messages, read again from the log and from what was kept beside it'),
  agrees: mustHave(aFlag, 'Whether these are exactly the messages that were handed out'),
  firstDifference: mustHave(
    either([aWholeNumber, aNull]),
    'Index of the first message that is not what was handed out; null if none is',
  ),
  receipt: mustHave(receiptOfContext, 'What the context is made of, and what was left out'),
  recalled: mustHave(aListOf(recallItem), 'What was recalled into it, with reasons and sources'),
  options: mustHave(
    recordedOptions,
    'The options it was built with, without the system text and the plan, which are among the messages',
  ),
})

const cacheSimulation: Shape<CacheSimulation> = anObject('CacheSimulation', {
  policy: mustHave(aText, 'The name of the policy'),
  calls: number('How often the model was called: before each message of the assistant'),
  inputTokens: number('Input tokens of all calls'),
  cachedTokens: number('Input tokens of the leading messages that were equal to those of the call before'),
  cachedShare: mustHave(aNumber(), 'Cached tokens as a share of the input, from 0 to 1'),
  compactions: number('How often the window was compacted'),
  cost: mustHave(aNumber(), 'What all calls cost, in the currency of the prices'),
})

const historyOptions: Shape<TokenHistoryOptions> = anObject('TokenHistoryOptions', {
  buckets: mayHave(aCountUpTo(BUCKETS_MAX), 'At most this many buckets, up to 500', '500'),
})

const tokenBucket: Shape<TokenBucket> = anObject('TokenBucket', {
  ...common,
  contexts: number('How many contexts it represents'),
  inputTokens: number('How many tokens all of them had together'),
  equalTokens: number('How many of those were equal to the context before, and could be cached'),
})

/** What was handed to models, from the records of the last 30 days. */
export const recordedContextOperations: Readonly<Record<'list' | 'read' | 'tokens' | 'simulate', Operation>> = noun(
  'recordedContexts',
  {
    list: {
      help: 'List the contexts that were built for a session in the last 30 days, newest first, in numbers',
      attempt: 'list contexts',
      call: 'contexts',
      can: 'read',
      method: 'get',
      path: CONTEXTS,
      options: listOptions,
      answer: anObject<{ readonly contexts: readonly RecordedContext[] }>(undefined, {
        contexts: mustHave(aListOf(recordedContext), 'The contexts, newest first'),
      }),
      as: 'contexts',
      writes: false,
    },
    read: {
      help: 'Read a recorded context with its messages, and whether they are exactly those that were handed out',
      attempt: 'read a context',
      call: 'contextAt',
      can: 'read',
      method: 'get',
      path: `${CONTEXTS}/{id}`,
      takes: { id: mustHave(anId, 'The id of the context') },
      answer: contextRecord,
      writes: false,
    },
    tokens: {
      help: 'Read what the contexts of a session cost by kind, oldest first, in at most 500 buckets',
      attempt: 'read tokens',
      call: 'tokenHistory',
      can: 'read',
      method: 'get',
      path: `${SESSION}/tokens`,
      options: historyOptions,
      answer: anObject<{ readonly buckets: readonly TokenBucket[] }>(undefined, {
        buckets: mustHave(aListOf(tokenBucket), 'The buckets, oldest first'),
      }),
      as: 'buckets',
      writes: false,
    },
    simulate: {
      help: 'Replay the session under each policy in a copy, and say what it would have cost with a prompt cache',
      ...simulateCacheCall,
      call: 'simulateCache',
      can: 'read',
      method: 'post',
      path: `${SESSION}/simulate-cache`,
      answer: anObject<{ readonly simulations: readonly CacheSimulation[] }>(undefined, {
        simulations: mustHave(aListOf(cacheSimulation), 'One for each policy, in their order'),
      }),
      as: 'simulations',
      writes: false,
      patient: true,
    },
  },
)
