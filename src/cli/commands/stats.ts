import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { SessionStats } from '../../api/sessions.ts'
import type { Memory } from '../../api/memory.ts'
import type { Scope } from '../../api/scope.ts'
import type { CommandResult } from '../command-result.ts'
import { type CommonOptions, command, inMemory, inScope, inSession } from '../command.ts'
import { number, time } from '../render/layout.ts'
import type { Look } from '../look.ts'
import { table } from '../render/table.ts'
import type { Plot } from '../render/plot.ts'
import type { Shell } from '../shell.ts'

const SESSIONS_PER_PAGE = 500
const FACTS_PER_PAGE = 500
const SCOPES_MAX = 500
/** More bars than this are a list. */
const BARS_MAX = 15

export function statsCommand(shell: Shell): Command {
  return command('stats', 'Count what a memory, a scope or one conversation contains', {
    group: 'The memory',
    reads: true,
    of: 'session',
    plots: true,
    examples: ['daybook stats', 'daybook stats --scope acme/ada', 'daybook stats --scope acme/ada support-42 --json'],
  })
    .argument('[session]', 'the same as --session')
    .action(async (id: string | undefined, options: CommonOptions) => {
      const session = id ?? options.session
      if (session === undefined && options.scope === undefined) return inMemory(shell, options, memoryStats)
      if (session === undefined) return inScope(shell, options, scopeStats)
      return inSession(shell, { ...options, session }, async (handle, scope) => {
        const stats = await handle.stats()
        const value = { scope: scope.name, session, ...stats }
        return {
          value,
          text: (look) => renderStats(stats, look),
          plot: messagesPlot('role', Object.entries(stats.byRole)),
        }
      })
    })
}

async function memoryStats(memory: Memory): Promise<CommandResult> {
  const stats = await memory.stats()
  const rows = [
    ['store', stats.store],
    ['schema version', number(stats.schemaVersion)],
    ['vector search', stats.vectorSearch],
    ['bytes', number(stats.bytes)],
    ['conversations', number(stats.sessions)],
    ['messages', number(stats.messages)],
    ['current facts', number(stats.facts)],
  ]
  const { scopes } = await memory.scopes({ limit: SCOPES_MAX })
  const plot = messagesPlot(
    'scope',
    scopes.map(({ scope, messages }) => [scope, messages]),
  )
  return {
    value: stats,
    text: ({ width }) =>
      table(['', ''], rows, { right: [1], width })
        .slice(1)
        .join('\n'),
    plot,
  }
}

/** The largest first, as many as fit on a screen. */
function messagesPlot(by: string, counts: readonly (readonly [name: string, count: number])[]): Plot {
  const bars = counts
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, BARS_MAX)
    .map(([label, value]) => ({ label, value, text: number(value) }))
  return { title: `Messages by ${by}`, bars }
}

async function scopeStats(scope: Scope): Promise<CommandResult> {
  let [sessions, messages] = [0, 0]
  const bySession: (readonly [string, number])[] = []
  for (let after: string | null | undefined; after !== null;) {
    const page = await scope.sessions({ limit: SESSIONS_PER_PAGE, ...defined({ after }) })
    sessions += page.sessions.length
    bySession.push(...page.sessions.map((session) => [session.id, session.messages] as const))
    messages += page.sessions.reduce((sum, session) => sum + session.messages, 0)
    after = page.next
  }
  const facts = await countFacts(scope)
  const version = await scope.knowledgeVersion()
  const value = { scope: scope.name, sessions, messages, facts, knowledgeVersion: version }
  const rows = Object.entries({
    conversations: sessions,
    messages,
    'current facts': facts,
    'knowledge version': version,
  })
  return {
    value,
    plot: messagesPlot('session', bySession),
    text: ({ width }) =>
      table(
        ['', ''],
        rows.map(([name, count]) => [name, number(count)]),
        { right: [1], width },
      )
        .slice(1)
        .join('\n'),
  }
}

async function countFacts(scope: Scope): Promise<number> {
  let total = 0
  for (let after: string | undefined; ;) {
    const page = await scope.facts({ limit: FACTS_PER_PAGE, ...defined({ after }) })
    total += page.length
    after = page.at(-1)?.id
    if (page.length < FACTS_PER_PAGE || after === undefined) return total
  }
}

function renderStats({ byRole, firstAt, lastAt, ...counts }: SessionStats, { width }: Look): string {
  const rows = [
    ['messages', number(counts.messages)],
    ['live', number(counts.live)],
    ...Object.entries(byRole).flatMap(([role, count]) => unlessNone(`  ${role}`, count)),
    ['tokens', number(counts.tokens)],
    ...unlessNone('tool calls', counts.toolCalls),
    ...unlessNone('revisions', counts.revisions),
    ['version', number(counts.version)],
    ['first', firstAt === null ? '' : time(firstAt)],
    ['last', lastAt === null ? '' : time(lastAt)],
  ]
  return table(['', ''], rows, { right: [1], width })
    .slice(1)
    .join('\n')
}

function unlessNone(name: string, count: number): readonly (readonly string[])[] {
  return count === 0 ? [] : [[name, number(count)]]
}
