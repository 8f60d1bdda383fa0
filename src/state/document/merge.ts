import type { Task, ToolStats } from '../../api/state.ts'
import { uniqueFacts } from './build.ts'
import type { ContextDocument, HistoryEntry } from '../../api/document.ts'

/**
 * One document of two that were changed side by side. With what both began from, counts are added and what only one changed
 * is taken from that one; without, the larger count stands, and mine where both say something.
 */
export function mergeDocuments(
  base: ContextDocument | undefined,
  theirs: ContextDocument,
  mine: ContextDocument,
): ContextDocument {
  const pick = <Key extends keyof ContextDocument>(key: Key): ContextDocument[Key] =>
    base !== undefined && JSON.stringify(mine[key]) === JSON.stringify(base[key]) ? theirs[key] : mine[key]
  const { preferences, ...system } = pick('system_state')
  return {
    ...theirs,
    ...mine,
    ...Object.fromEntries(Object.keys({ ...theirs, ...mine }).map((key) => [key, pick(key as keyof ContextDocument)])),
    system_state: {
      ...system,
      preferences: { ...theirs.system_state.preferences, ...mine.system_state.preferences, ...preferences },
    },
    facts: uniqueFacts(withoutRemoved(base?.facts, theirs.facts, mine.facts)),
    recent_history: mergeHistory(base?.recent_history, theirs.recent_history, mine.recent_history),
    active_tasks: mergeTasks(theirs.active_tasks, mine.active_tasks),
    tool_stats: mergeStats(base?.tool_stats, theirs.tool_stats, mine.tool_stats),
    token_usage: mergeUsage(base, theirs, mine),
  }
}

/** All that either has; but what one of them took away since stays away. */
function withoutRemoved<Item>(
  base: readonly Item[] | undefined,
  theirs: readonly Item[],
  mine: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): readonly Item[] {
  const keys = (items: readonly Item[]): ReadonlySet<unknown> => new Set(items.map(keyOf))
  const [before, inTheirs, inMine] = [keys(base ?? []), keys(theirs), keys(mine)]
  return [
    ...theirs.filter((item) => inMine.has(keyOf(item)) || !before.has(keyOf(item))),
    ...mine.filter((item) => !inTheirs.has(keyOf(item)) && !before.has(keyOf(item))),
  ]
}

/** By time; entries of the same second stay in the order they had, theirs first. */
function mergeHistory(
  base: readonly HistoryEntry[] | undefined,
  theirs: readonly HistoryEntry[],
  mine: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const keyOf = ({ id, timestamp, role, content }: HistoryEntry): string =>
    id ?? JSON.stringify([timestamp, role, content])
  return withoutRemoved(base, theirs, mine, keyOf).toSorted((a, b) => a.timestamp - b.timestamp)
}

/** The newer state of each. */
function mergeTasks(theirs: readonly Task[], mine: readonly Task[]): readonly Task[] {
  const tasks = new Map(theirs.map((task) => [task.id, task]))
  for (const task of mine) {
    const other = tasks.get(task.id)
    if (other === undefined || task.updated_at >= other.updated_at) tasks.set(task.id, task)
  }
  return [...tasks.values()]
}

function mergeStats(base: ToolStats | undefined, theirs: ToolStats, mine: ToolStats): ToolStats {
  const names = new Set([...Object.keys(theirs.by_tool), ...Object.keys(mine.by_tool)])
  return {
    total_calls: mergeCount(base?.total_calls, theirs.total_calls, mine.total_calls),
    by_tool: Object.fromEntries(
      [...names].map((name) => [
        name,
        mergeCount(
          base === undefined ? undefined : (base.by_tool[name] ?? 0),
          theirs.by_tool[name] ?? 0,
          mine.by_tool[name] ?? 0,
        ),
      ]),
    ),
    failures: mergeCount(base?.failures, theirs.failures, mine.failures),
  }
}

function mergeUsage(
  base: ContextDocument | undefined,
  theirs: ContextDocument,
  mine: ContextDocument,
): ContextDocument['token_usage'] {
  const of = (key: 'total_input' | 'total_output'): number =>
    mergeCount(base?.token_usage[key], theirs.token_usage[key], mine.token_usage[key])
  const [input, output] = [of('total_input'), of('total_output')]
  return { total_input: input, total_output: output, by_session: input + output }
}

function mergeCount(base: number | undefined, theirs: number, mine: number): number {
  return base === undefined ? Math.max(theirs, mine) : Math.max(0, theirs + mine - base)
}
