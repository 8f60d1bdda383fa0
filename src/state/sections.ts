import { isPlainObject } from '../domain/check-json.ts'
import { checkPlan } from '../domain/plan.ts'
import { refuse } from '../domain/refuse.ts'
import { taskStatuses } from '../domain/task-status.ts'

type Check = (attempt: string, value: unknown) => void

/**
 * The keys of a state that stand in the session's document, and what they must look like for it. All other keys are the
 * caller's own.
 */
const SECTIONS: ReadonlyMap<string, Check> = new Map<string, Check>([
  [
    'system_state',
    (attempt, value) => {
      const { last_workspace: workspace = null, preferences = {} } = objectOf(attempt, 'system_state', value)
      if (workspace !== null && typeof workspace !== 'string')
        refuse(attempt, 'system_state.last_workspace', workspace, 'a string or null')
      objectOf(attempt, 'system_state.preferences', preferences)
    },
  ],
  [
    'facts',
    (attempt, value) => {
      if (!Array.isArray(value) || value.some((fact) => typeof fact !== 'string'))
        refuse(attempt, 'facts', value, 'a list of strings')
    },
  ],
  [
    'long_term_summary',
    (attempt, value) => {
      if (typeof value !== 'string') refuse(attempt, 'long_term_summary', value, 'a string')
    },
  ],
  ['active_tasks', checkTasks],
  [
    'last_known_environment',
    (attempt, value) => {
      const fields = objectOf(attempt, 'last_known_environment', value)
      const { workspace = null, last_update: updated = 0, system_snapshot: snapshot = {} } = fields
      if (workspace !== null && typeof workspace !== 'string')
        refuse(attempt, 'last_known_environment.workspace', workspace, 'a string or null')
      checkAmount(attempt, 'last_known_environment.last_update', updated)
      objectOf(attempt, 'last_known_environment.system_snapshot', snapshot)
    },
  ],
  [
    'token_usage',
    (attempt, value) => {
      const fields = objectOf(attempt, 'token_usage', value)
      for (const name of ['total_input', 'total_output', 'by_session'])
        checkAmount(attempt, `token_usage.${name}`, fields[name])
    },
  ],
  ['tool_stats_before', checkToolStats],
  ['document_fields', (attempt, value) => void objectOf(attempt, 'document_fields', value)],
  ['plan', checkPlan],
])

/** Accepts a value for a key of the state: sections of the document have their shape, and tools are counted by the log. */
export function checkSection(attempt: string, key: string, value: unknown): void {
  if (key === 'tool_stats') refuse(attempt, 'key', key, 'another key: tools are counted from the log by itself')
  SECTIONS.get(key)?.(attempt, value)
}

/** Whether a key is a part of the document, and so not free for others. */
export function isSection(key: string): boolean {
  return key === 'tool_stats' || SECTIONS.has(key)
}

function checkTasks(attempt: string, value: unknown): void {
  if (!Array.isArray(value)) refuse(attempt, 'active_tasks', value, 'a list of tasks')
  const ids = new Set<unknown>()
  for (const [index, item] of value.entries()) {
    const path = `active_tasks[${index}]`
    const {
      id,
      description,
      status,
      progress,
      created_at: created,
      updated_at: updated,
    } = objectOf(attempt, path, item)
    if (typeof id !== 'string' || id === '') refuse(attempt, `${path}.id`, id, 'a string')
    if (ids.has(id)) refuse(attempt, `${path}.id`, id, 'an id that no other task has')
    ids.add(id)
    if (typeof description !== 'string') refuse(attempt, `${path}.description`, description, 'a string')
    if (!taskStatuses.some((known) => known === status))
      refuse(attempt, `${path}.status`, status, taskStatuses.join(', '))
    if (typeof progress !== 'number' || progress < 0 || progress > 1)
      refuse(attempt, `${path}.progress`, progress, 'a number from 0 to 1')
    checkAmount(attempt, `${path}.created_at`, created)
    checkAmount(attempt, `${path}.updated_at`, updated)
  }
}

export function checkToolStats(attempt: string, value: unknown): void {
  const { total_calls: total, by_tool: tools, failures } = objectOf(attempt, 'tool_stats', value)
  checkAmount(attempt, 'tool_stats.total_calls', total)
  checkAmount(attempt, 'tool_stats.failures', failures)
  for (const [name, count] of Object.entries(objectOf(attempt, 'tool_stats.by_tool', tools)))
    checkAmount(attempt, `tool_stats.by_tool.${name}`, count)
}

function checkAmount(attempt: string, path: string, value: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0)
    refuse(attempt, path, value, 'a number, 0 or greater')
}

function objectOf(attempt: string, path: string, value: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) refuse(attempt, path, value, 'an object')
  return value
}
