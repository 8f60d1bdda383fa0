import type { Command } from 'commander'
import type { Memory } from '../../api/memory.ts'
import { defined } from '../../domain/defined.ts'
import type { ScopeSummary } from '../../api/scopes.ts'
import type { SessionSummary } from '../../api/sessions.ts'
import type { MemoryStats } from '../../api/upkeep.ts'
import { type CommonOptions, command, inMemory } from '../command.ts'
import type { Look } from '../look.ts'
import { counted, number, shortened, time } from '../render/layout.ts'
import { table } from '../render/table.ts'
import { redactAddresses } from '../../domain/redact-addresses.ts'
import { placeOptions } from '../place-options.ts'
import { shellWord } from '../shell-word.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'
import { memoryHere } from '../with-memory.ts'

const SCOPES_SHOWN = 8
const SCOPES_LOOKED_AT = 1_000
const SESSIONS_SHOWN = 5
const ID_CHARACTERS_MAX = 40

interface Recent extends Pick<SessionSummary, 'id' | 'messages' | 'updatedAt'> {
  readonly scope: string
}

interface Status {
  readonly stats: MemoryStats
  readonly scopes: readonly ScopeSummary[]
  /** There are more scopes than were looked at. */
  readonly more: boolean
  readonly recent: readonly Recent[]
}

export function statusCommand(shell: Shell): Command {
  return command('status', 'Show what is in a memory: scopes, counts, the last conversations', {
    group: 'Core',
    reads: true,
    examples: ['daybook status', 'daybook status --memory agent.db --json'],
  }).action(async (options: CommonOptions) =>
    inMemory(shell, options, async (memory) => {
      const status = await statusOf(memory)
      return { value: status, text: (look) => render(status, named(shell, options), look) }
    }),
  )
}

async function statusOf(memory: Memory): Promise<Status> {
  const [stats, page] = [await memory.stats(), await memory.scopes({ limit: SCOPES_LOOKED_AT })]
  const scopes = page.scopes.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  const recent: Recent[] = []
  for (const { scope } of scopes.slice(0, SESSIONS_SHOWN)) {
    const { sessions } = await memory.scope(scope).sessions({ limit: SESSIONS_SHOWN })
    recent.push(...sessions.map(({ id, messages, updatedAt }) => ({ scope, id, messages, updatedAt })))
  }
  recent.sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  return { stats, scopes, more: page.next !== null, recent: recent.slice(0, SESSIONS_SHOWN) }
}

/** The memory as a person may see it, and what a command has to say to use it. */
interface NamedMemory {
  readonly shown: string
  readonly option: string
}

/** Passwords are not shown. */
function named(shell: Shell, { memory }: CommonOptions): NamedMemory {
  return { shown: redactAddresses(memory ?? memoryHere()), option: placeOptions(shell, defined({ memory })) }
}

function render({ stats, scopes, more, recent }: Status, memory: NamedMemory, { paint, width }: Look): string {
  const counts = [
    counted(stats.sessions, 'conversation'),
    counted(stats.messages, 'message'),
    counted(stats.facts, 'fact'),
    `${number(Math.ceil(stats.bytes / 1024))} kB`,
  ]
  const place = memory.option
  const head = `${paint('bold', terminalLine(memory.shown))} ${paint('dim', counts.join(' · '))}`
  const [last] = recent
  if (last === undefined)
    return [
      head,
      '',
      stats.facts > 0 ? `Next:\n  daybook facts${place}` : 'Nothing is stored yet. Next:',
      `  daybook append${place} --scope me first "Hello"`,
    ].join('\n')
  const scope = scopes.length === 1 ? '' : ` --scope ${shellWord(last.scope)}`
  const rest = more ? `more than ${number(scopes.length - SCOPES_SHOWN)}` : number(scopes.length - SCOPES_SHOWN)
  return [
    head,
    '',
    ...table(['scope', 'conversations', 'messages', 'facts', 'changed'], scopes.slice(0, SCOPES_SHOWN).map(scopeRow), {
      right: [1, 2, 3],
      width,
    }),
    ...(scopes.length > SCOPES_SHOWN ? [paint('dim', `and ${rest} others: daybook scopes${place}`)] : []),
    '',
    ...table(['last conversations', 'scope', 'messages', 'changed'], recent.map(recentRow), { right: [2], width }),
    '',
    'Next:',
    `  daybook show${place}${scope} ${shellWord(terminalLine(last.id))}`,
    `  daybook recall${place}${scope} "what do you want to know?"`,
    `  daybook open${place}`,
    paint('dim', 'daybook help lists all commands.'),
  ].join('\n')
}

function scopeRow({ scope, sessions, messages, facts, updatedAt }: ScopeSummary): readonly string[] {
  return [terminalLine(scope), number(sessions), number(messages), number(facts), time(updatedAt)]
}

function recentRow({ id, scope, messages, updatedAt }: Recent): readonly string[] {
  return [shortened(terminalLine(id), ID_CHARACTERS_MAX), terminalLine(scope), number(messages), time(updatedAt)]
}
