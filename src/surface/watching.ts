import type {
  FactChanged,
  JobChanged,
  MessageAppended,
  ScopeEvent,
  ScopeEventKind,
  ScopeWatchOptions,
  SessionChanged,
  SessionCreated,
  SessionsForgotten,
  WindowCompacted,
} from '../api/watching.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { RequiredField, Shape } from '../shape/shape.ts'
import { aNull, aText, aWholeNumber, anInstance, anIsoTime, oneOf } from '../shape/values.ts'
import { aFact } from './fact-shapes.ts'
import { aJob } from './jobs.ts'
import { aMessage } from './message-shapes.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

const kinds: readonly ScopeEventKind[] = ['session', 'message', 'change', 'compaction', 'forgotten', 'fact', 'job']

const scopeWatchOptions: Shape<ScopeWatchOptions> = anObject('ScopeWatchOptions', {
  after: mayHave(aText, 'Continue after the event with this `cursor`', 'what happens from now on'),
  kinds: mayHave(
    aListOf(oneOf(kinds), { min: 1, wanted: `a list of ${kinds.join(', ')}` }),
    'Only events of these kinds',
    'all',
  ),
  signal: mayHave(anInstance(AbortSignal, 'an AbortSignal'), 'Ends the watch'),
})

const cursor: RequiredField<string> = mustHave(aText, 'Continues after this event: see `after`')
const session: RequiredField<string> = mustHave(aText, 'The id of the session')
const stored: RequiredField<string> = mustHave(anIsoTime, 'When it was stored')

const aCreation: Shape<SessionCreated> = anObject('SessionCreated', {
  type: mustHave(oneOf(['session']), 'What happened'),
  cursor,
  session,
  at: mustHave(anIsoTime, 'When it was created'),
})

const anAppend: Shape<MessageAppended> = anObject('MessageAppended', {
  type: mustHave(oneOf(['message']), 'What happened'),
  cursor,
  session,
  message: mustHave(aMessage, 'The message'),
})

const aChange: Shape<SessionChanged> = anObject('SessionChanged', {
  type: mustHave(oneOf(['change']), 'What happened'),
  cursor,
  session,
  change: mustHave(
    oneOf(['revise', 'remove', 'clear', 'undo', 'forget']),
    'What was done: a message was revised, removed or forgotten, the window was cleared, or a compaction undone',
  ),
  seq: mustHave(aWholeNumber, 'The message that it is about; of a clear or an undo, the last message that it covers'),
  version: mustHave(aWholeNumber, 'The version of the log that it made'),
  at: stored,
})

const aCompaction: Shape<WindowCompacted> = anObject('WindowCompacted', {
  type: mustHave(oneOf(['compaction']), 'What happened'),
  cursor,
  session,
  compaction: mustHave(aWholeNumber, 'The number of the compaction, for `undo`'),
  through: mustHave(aWholeNumber, 'The last message that it covers'),
  at: stored,
})

const aForgetting: Shape<SessionsForgotten> = anObject('SessionsForgotten', {
  type: mustHave(oneOf(['forgotten']), 'What happened'),
  cursor,
  sessions: mustHave(aWholeNumber, 'How many'),
})

const aFactChange: Shape<FactChanged> = anObject('FactChanged', {
  type: mustHave(oneOf(['fact']), 'What happened'),
  cursor,
  id: mustHave(aText, 'The id of the fact'),
  fact: mustHave(either([aFact, aNull]), 'The fact as it is now; null if it was forgotten'),
})

const aJobChange: Shape<JobChanged> = anObject('JobChanged', {
  type: mustHave(oneOf(['job']), 'What happened'),
  cursor,
  job: mustHave(aJob, 'The job as it is now'),
})

const anEvent: Shape<ScopeEvent> = either(
  [aCreation, anAppend, aChange, aCompaction, aForgetting, aFactChange, aJobChange],
  {
    name: 'ScopeEvent',
  },
)

export const watchOperations: Readonly<Record<'watch', Operation>> = noun('events', {
  watch: {
    help: 'Follow a scope: sessions, messages, compactions, facts and jobs as server-sent events. Last-Event-ID resumes after one',
    attempt: 'watch',
    call: 'watch',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/watch`,
    options: scopeWatchOptions,
    answer: anEvent,
    writes: false,
    streams: { out: 'text/event-stream' },
  },
})
