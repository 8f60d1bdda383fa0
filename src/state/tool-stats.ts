import type { ToolStats } from '../api/state.ts'
import type { Part } from '../domain/part.ts'

export const NO_TOOL_STATS: ToolStats = { total_calls: 0, by_tool: {}, failures: 0 }

export function countTools(stats: ToolStats, parts: readonly Part[]): ToolStats {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const failures = parts.filter((part) => part.type === 'tool-result' && (part.outcome ?? 'ok') !== 'ok')
  if (calls.length === 0 && failures.length === 0) return stats
  return addToolStats(stats, {
    total_calls: calls.length,
    by_tool: tally(calls.map(({ name }) => name)),
    failures: failures.length,
  })
}

export function addToolStats(a: ToolStats, b: ToolStats): ToolStats {
  return {
    total_calls: a.total_calls + b.total_calls,
    by_tool: addCounts(a.by_tool, b.by_tool, 1),
    failures: a.failures + b.failures,
  }
}

/** What is left of one when another is taken away; never below nothing. */
export function lessToolStats(a: ToolStats, b: ToolStats): ToolStats {
  return {
    total_calls: Math.max(0, a.total_calls - b.total_calls),
    by_tool: addCounts(a.by_tool, b.by_tool, -1),
    failures: Math.max(0, a.failures - b.failures),
  }
}

function tally(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** Sorted by name, so that equal counts are equal text. Entries, not assignment: a tool may be called `__proto__`. */
function addCounts(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
  sign: 1 | -1,
): Readonly<Record<string, number>> {
  const counts = new Map(Object.entries(a))
  for (const [name, count] of Object.entries(b)) counts.set(name, Math.max(0, (counts.get(name) ?? 0) + sign * count))
  return Object.fromEntries(
    [...counts].filter(([, count]) => count > 0).toSorted(([x], [y]) => (x < y ? -1 : Number(x > y))),
  )
}
