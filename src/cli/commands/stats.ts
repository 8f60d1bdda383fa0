import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { SessionStats } from '../../api/sessions.ts'
import type { Memory } from '../../api/memory.ts'
import type { Scope } from '../../api/scope.ts'
import type { CommandResult } from '../command-result.ts'
import { type CommonOptions, command, inMemory, inScope, inSession } from '../command.ts'
import { number, table, time } from '../render/layout.ts'
import type { Shell } from '../shell.ts'

const SESSIONS_PER_PAGE = 500
const FACTS_PER_PAGE = 500

export function statsCommand(shell: Shell): Command {
  return command('stats', 'Count what is there, in all, in a scope or in one conversation', {
    group: 'The memory',
    reads: true,
    of: 'session',
    examples: ['daybook stats', 'daybook stats --scope acme/ada', 'daybook stats --scope acme/ada support-42 --json'],
  })
    .argument('[session]', 'the same as --session')
    .action(async (id: string | undefined, options: CommonOptions) => {
      const session = id ?? options.session
      if (session === undefined && options.scope === undefined) return inMemory(shell, options, memoryStats)
      if (session === undefined) return inScope(shell, options, scopeStats)
      return inSession(shell, { ...options, session }, async (handle, scope) => {
        const stats = await handle.stats()
        return { value: { scope: scope.name, session, ...stats }, text: () => renderStats(stats) }
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
  return { value: stats, text: () => table(['', ''], rows, [1]).slice(1).join('\n') }
}

async function scopeStats(scope: Scope): Promise<CommandResult> {
  let [sessions, messages] = [0, 0]
  for (let after: string | null | undefined; after !== null;) {
    const page = await scope.sessions({ limit: SESSIONS_PER_PAGE, ...defined({ after }) })
    sessions += page.sessions.length
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
    text: () =>
      table(
        ['', ''],
        rows.map(([name, count]) => [name, number(count)]),
        [1],
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

function renderStats({ byRole, firstAt, lastAt, ...counts }: SessionStats): string {
  const rows = [
    ['messages', number(counts.messages)],
    ['live', number(counts.live)],
    ...Object.entries(byRole).map(([role, count]) => [`  ${role}`, number(count)]),
    ['tokens', number(counts.tokens)],
    ['tool calls', number(counts.toolCalls)],
    ['revisions', number(counts.revisions)],
    ['version', number(counts.version)],
    ['first', firstAt === null ? '' : time(firstAt)],
    ['last', lastAt === null ? '' : time(lastAt)],
  ]
  return table(['', ''], rows, [1]).slice(1).join('\n')
}
