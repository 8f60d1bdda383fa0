import type {
  ContextDocument,
  DocumentOptions,
  HistoryEntry,
  KnownEnvironment,
  SystemState,
  TokenUsage,
} from '../api/document.ts'
import type { ToolStats } from '../api/state.ts'
import { aListOf, either } from '../shape/combine.ts'
import { aMapOf, anObject, mayHave, mustHave } from '../shape/object.ts'
import type { AnyShape, Shape } from '../shape/shape.ts'
import { aCount, aJsonObject, aNull, aNumber, aText, aTime, aWholeNumber, oneOf } from '../shape/values.ts'
import { aPlan } from './contexts.ts'
import { aPart } from './message-shapes.ts'
import { aNote } from './notes.ts'
import { fieldsIn } from './request-fields.ts'
import { aTask } from './tasks.ts'

export const documentOptions: Shape<DocumentOptions> = anObject('DocumentOptions', {
  recent: mayHave(aCount, 'At most this many of the newest messages', 'all that are live'),
  // Log and state count their versions apart, so a version would say too little.
  asOf: mayHave(aTime, 'The session as it was at this time', 'now'),
})

const seconds: Shape<number> = aNumber({ min: 0 }, 'seconds since 1970')
export const anAmount: Shape<number> = aNumber({ min: 0 }, 'a number, 0 or greater')
const textOrNull: Shape<string | null> = either([aText, aNull])

const anEntry: Shape<HistoryEntry> = anObject('HistoryEntry', {
  timestamp: mustHave(seconds, 'When it was said, in seconds since 1970; 0 if that is not known'),
  role: mustHave(aText, 'Who spoke'),
  content: mustHave(aText, 'Its text'),
  token_count: mayHave(aNumber(), 'What it costs in tokens'),
  id: mayHave(aText, 'Its id'),
  name: mayHave(aText, 'The name of the user, agent or tool'),
  tags: mayHave(aListOf(aText), 'Its tags'),
  metadata: mayHave(aJsonObject, 'Whatever a program wants to keep with it'),
  parts: mayHave(aListOf(aPart), 'What was said, part by part'),
  imported: mayHave(oneOf([true]), 'It was imported from elsewhere: trusted like a web page, whatever its role'),
})

const systemState: Shape<SystemState> = anObject(
  'SystemState',
  {
    last_workspace: mustHave(textOrNull, 'The workspace that was used last; null if there was none'),
    preferences: mustHave(aJsonObject, 'Preferences of the user, by name'),
  },
  { open: true },
)

const environment: Shape<KnownEnvironment> = anObject(
  'KnownEnvironment',
  {
    workspace: mustHave(textOrNull, 'The workspace; null if there is none'),
    last_update: mustHave(seconds, 'When it was last looked at, in seconds since 1970; 0 for never'),
    system_snapshot: mustHave(aJsonObject, 'What was found there'),
  },
  { open: true },
)

export const aToolCount: Shape<ToolStats> = anObject('ToolStats', {
  total_calls: mustHave(aWholeNumber, 'Calls of all tools'),
  by_tool: mustHave(aMapOf(aWholeNumber), 'Calls by the name of the tool'),
  failures: mustHave(aWholeNumber, 'Calls that failed, were refused or were interrupted'),
})

const tokenUsage: Shape<TokenUsage> = anObject('TokenUsage', {
  total_input: mustHave(anAmount, 'Input tokens'),
  total_output: mustHave(anAmount, 'Output tokens'),
  by_session: mustHave(anAmount, 'Both together'),
})

export const aDocument: Shape<ContextDocument> = anObject(
  'ContextDocument',
  {
    schema: mustHave(aWholeNumber, 'The version of the format'),
    session_id: mustHave(aText, 'The id of the session'),
    version: mayHave(aWholeNumber, 'How often it was saved to a file; missing if it never was'),
    updated_at: mayHave(seconds, 'When it was saved to a file, in seconds since 1970'),
    exported: mayHave(aText, 'A hash of the rest, set by an export'),
    system_state: mustHave(systemState, 'What the agent was set up with'),
    facts: mustHave(aListOf(aText), 'What was learned from the session, as sentences'),
    recent_history: mustHave(aListOf(anEntry), 'The messages that are live, oldest first'),
    long_term_summary: mustHave(aText, 'What came before them, in short'),
    active_tasks: mustHave(aListOf(aTask), 'Tasks that are open or ended less than a day ago'),
    tool_stats: mustHave(aToolCount, 'How often tools were called'),
    last_known_environment: mustHave(environment, 'What the agent knows about its machine'),
    token_usage: mustHave(tokenUsage, 'What the providers counted'),
    plan: mayHave(aPlan, "The agent's plan"),
    notes: mayHave(aListOf(aNote), "The agent's notes"),
  },
  { open: true },
)

/** Sections of a document that a session's state has, by key. What an object leaves out has the value of a new document. */
export const documentSections: ReadonlyMap<string, AnyShape> = new Map<string, AnyShape>([
  ['system_state', partOf(systemState)],
  ['facts', aListOf(aText, { wanted: 'a list of strings' })],
  ['long_term_summary', aText],
  ['active_tasks', aListOf(aTask, { wanted: 'a list of tasks' })],
  ['last_known_environment', partOf(environment)],
  ['token_usage', tokenUsage],
  ['tool_stats_before', aToolCount],
  ['document_fields', aJsonObject],
  ['plan', aPlan],
])

function partOf(shape: AnyShape): AnyShape {
  const fields = Object.entries(fieldsIn(shape)).map(([name, field]) => [name, { ...field, optional: true }])
  return anObject<object>(undefined, Object.fromEntries(fields) as object, { open: true })
}
