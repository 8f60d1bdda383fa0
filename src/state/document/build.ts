import { defined } from '../../domain/defined.ts'
import type { Note, Task, ToolStats } from '../../api/state.ts'
import type { Fold } from '../../domain/fold.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Message } from '../../domain/message.ts'
import { normalForm } from '../../domain/normal-form.ts'
import type { Part } from '../../domain/part.ts'
import { partText } from '../../domain/part-text.ts'
import type { Plan } from '../../domain/plan.ts'
import { currentTasks } from '../task.ts'
import type { TokenUsage } from '../../api/document.ts'
import { NO_TOOL_STATS, addToolStats } from '../tool-stats.ts'
import type { ContextDocument, HistoryEntry, KnownEnvironment, SystemState } from '../../api/document.ts'
import { NO_ENVIRONMENT, NO_SYSTEM_STATE, newDocument } from './document.ts'

export interface DocumentSources {
  readonly session: string
  /** What is live: folds and messages. */
  readonly window: readonly (Message | Fold)[]
  /** The values of the session's state, by key. */
  readonly values: JSONObject
  /** As counted from the log. */
  readonly toolStats: ToolStats
  /** Facts that were learned from this session, as sentences. */
  readonly learned: readonly string[]
  readonly notes: readonly Note[]
  readonly nowSeconds: number
}

/** The session as one document. What its state does not say has the value of a new one. */
export function buildDocument(sources: DocumentSources): ContextDocument {
  const { session, window, values, toolStats, learned, notes, nowSeconds } = sources
  const kept = values as Partial<ContextDocument> & {
    readonly tool_stats_before?: ToolStats
    readonly document_fields?: JSONObject
  }
  const empty = newDocument(session)
  const folds = window.filter((entry) => 'standIn' in entry)
  return {
    ...kept.document_fields,
    ...empty,
    system_state: { ...NO_SYSTEM_STATE, ...(kept.system_state as SystemState | undefined) },
    facts: uniqueFacts([...(kept.facts ?? []), ...learned]),
    recent_history: window.flatMap((entry) => ('standIn' in entry ? [] : [historyEntry(entry)])),
    long_term_summary: [kept.long_term_summary ?? '', ...folds.map(foldText)]
      .filter((text) => text !== '')
      .join('\n\n'),
    active_tasks: currentTasks((kept.active_tasks ?? []) as readonly Task[], nowSeconds),
    tool_stats: addToolStats(kept.tool_stats_before ?? NO_TOOL_STATS, toolStats),
    last_known_environment: {
      ...NO_ENVIRONMENT,
      ...(kept.last_known_environment as KnownEnvironment | undefined),
    },
    token_usage: (kept.token_usage as TokenUsage | undefined) ?? empty.token_usage,
    ...(kept.plan === undefined ? {} : { plan: kept.plan as Plan }),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

/** The first of those that say the same, in their order. */
export function uniqueFacts(facts: readonly string[]): readonly string[] {
  const seen = new Set<string>()
  return facts.filter((fact) => {
    const key = normalForm(fact)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function historyEntry(message: Message): HistoryEntry {
  const { at, role, parts, tokens, id, name, tags, metadata, imported } = message
  const [first, ...rest] = parts
  const isText = first?.type === 'text' && rest.length === 0 && first.provider === undefined
  return {
    timestamp: Math.floor(Date.parse(at) / 1000),
    role,
    content: parts.map(textOf).join('\n'),
    token_count: tokens,
    id,
    ...defined({ name, tags, metadata }),
    ...(isText ? {} : { parts }),
    ...(imported === true ? { imported } : {}),
  }
}

function foldText({ standIn }: Fold): string {
  return standIn.map(({ parts }) => parts.map(textOf).join('\n')).join('\n')
}

function textOf(part: Part): string {
  if (part.type === 'tool-call') return `${part.name}(${part.arguments})`
  return partText(part, (media) =>
    media.type === 'audio' || media.name === undefined ? `[${media.type}]` : `[${media.type} ${media.name}]`,
  )
}
