import { Command, InvalidArgumentError, Option } from 'commander'
import type { MemoryOptions } from '../api/open-memory.ts'
import type { Memory } from '../api/memory.ts'
import type { Scope } from '../api/scope.ts'
import type { Session } from '../api/session.ts'
import { type CommandResult, type ResultOptions, writeResult } from './command-result.ts'
import { CommandError } from './exit-status.ts'
import { memoryLocation } from './memory-location.ts'
import { type MemoryPlace, withMemory } from './with-memory.ts'
import type { Shell } from './shell.ts'

/** The groups of the overview, in its order. */
export type Group = 'Core' | 'Conversations' | 'Knowledge' | 'The memory' | 'Programs'

interface CommandDescription {
  readonly group: Group
  /** Shown under the help, each a line that can be typed. */
  readonly examples: readonly string[]
  /** What it needs to be told where: a scope, or a session of one. @default nothing but the memory */
  readonly of?: 'scope' | 'session'
  /** May make the memory if there is none. @default false */
  readonly creates?: boolean
  /** Changes nothing, and so can read a file that cannot be written. @default false */
  readonly reads?: boolean
  /** Has a list as its answer, which `--jsonl` gives a row a line. @default false */
  readonly lists?: boolean
  /** Finds by meaning if it is given an embedder. @default false */
  readonly embeds?: boolean
  /** What else is used where no memory or scope is given. @default nothing else */
  readonly whenLeftOut?: { readonly memory: string; readonly scope: string }
  /** Draws a plot, which `--svg` writes to a file. @default false */
  readonly plots?: boolean
}

export type CommonOptions = MemoryPlace & ResultOptions & { readonly scope?: string; readonly session?: string }

const HERE = 'daybook.db, or the only memory in this folder'

function withoutIt(otherwise: string | undefined): string {
  return otherwise === undefined ? '' : `; ${otherwise}`
}

/** A command with what all have: where the memory is, how to answer, examples. */
export function command(name: string, summary: string, description: CommandDescription): Command {
  const made = new Command(name)
    .description(summary)
    .helpGroup(description.group === 'Core' ? 'Core commands:' : `${description.group}:`)
    .addOption(
      new Option('-m, --memory <file>', `the memory (default: ${HERE}${withoutIt(description.whenLeftOut?.memory)})`)
        .env('DAYBOOK_MEMORY')
        .argParser(memoryLocation),
    )
  made.addOption(new Option('--key <key>', 'of the server, where the memory is one').env('DAYBOOK_KEY').hideHelp())
  made.addOption(
    new Option('--file-key <key>', 'of an encrypted file: env:NAME, file:PATH, command:PROGRAM, or the key')
      .env('DAYBOOK_FILE_KEY')
      .hideHelp(),
  )
  made.addOption(
    new Option('--content-key <key>', 'the master key of encrypted content, in the same way')
      .env('DAYBOOK_CONTENT_KEY')
      .hideHelp(),
  )
  made.addOption(
    new Option('--keys <file>', 'where its data keys are (default: <memory>.keys)').env('DAYBOOK_KEYS').hideHelp(),
  )
  if (description.creates === true) made.option('--create', 'create the memory if there is none')
  if (description.of !== undefined)
    made.addOption(
      new Option(
        '-s, --scope <path>',
        `the scope, for example acme/ada${withoutIt(description.whenLeftOut?.scope)}`,
      ).env('DAYBOOK_SCOPE'),
    )
  if (description.of === 'session')
    made.addOption(new Option('-S, --session <id>', 'the session, for example support-42').env('DAYBOOK_SESSION'))
  if (description.embeds === true)
    made.addOption(
      new Option(
        '--embedder <source>',
        'find by meaning: a module that exports an embedder, or an OpenAI-compatible address with a model, for example http://127.0.0.1:11434/v1#nomic-embed-text',
      ).env('DAYBOOK_EMBEDDER'),
    )
  if (description.reads === true) made.option('--read-only', 'change nothing: reads a file that cannot be written')
  made.option('--json', 'print one JSON document')
  if (description.plots === true) made.option('--svg <file>', 'write the plot to a file, as a picture')
  if (description.lists === true) made.option('--jsonl', 'print one JSON document per line')
  return made.addHelpText('after', `\nExamples:\n${description.examples.map((example) => `  $ ${example}`).join('\n')}`)
}

/** Runs with the memory open, and prints the result after it was closed: what is printed is done. */
export async function inMemory(
  shell: Shell,
  options: CommonOptions,
  work: (memory: Memory) => Promise<CommandResult>,
  memoryOptions?: MemoryOptions,
): Promise<void> {
  const answer = await withMemory(options, work, memoryOptions)
  writeResult(shell, options, answer)
  if (answer.exit !== undefined) shell.end(answer.exit)
}

/** The same in a scope. */
export function inScope(
  shell: Shell,
  options: CommonOptions,
  work: (scope: Scope, memory: Memory) => Promise<CommandResult>,
  memoryOptions?: MemoryOptions,
): Promise<void> {
  return inMemory(
    shell,
    options,
    async (memory) => work(memory.scope(await scopePathOf(memory, options)), memory),
    memoryOptions,
  )
}

/** The scope that was given, or the only one of the memory. */
export async function scopePathOf(memory: Memory, { scope: given }: CommonOptions): Promise<string> {
  if (given !== undefined) return given
  const { scopes } = await memory.scopes({ limit: SCOPES_NAMED + 1 })
  const [only] = scopes
  if (only !== undefined && scopes.length === 1) return only.scope
  const named = scopes.slice(0, SCOPES_NAMED).map(({ scope }) => scope)
  const more = scopes.length > SCOPES_NAMED ? ' and others' : ''
  const there = named.length === 0 ? '' : `. The memory has ${named.join(', ')}${more}`
  throw new CommandError('usage', `No scope given: pass --scope ${named[0] ?? 'acme/ada'} or set DAYBOOK_SCOPE${there}`)
}

const SCOPES_NAMED = 5

/** For the library a scope that nobody wrote to is empty; for a person it is most likely misspelt. */
export async function checkScopeExists(memory: Memory, name: string): Promise<void> {
  const [first] = (await memory.scopes({ under: name, limit: 1 })).scopes
  if (first !== undefined) return
  const { scopes } = await memory.scopes({ limit: SCOPES_NAMED })
  const there =
    scopes.length === 0 ? 'The memory is empty' : `The memory has ${scopes.map(({ scope }) => scope).join(', ')}`
  throw new CommandError('notFound', `Cannot find scope ${JSON.stringify(name)}. ${there}`)
}

/** The same in a session that exists. */
export function inSession(
  shell: Shell,
  options: CommonOptions,
  work: (session: Session, scope: Scope) => Promise<CommandResult>,
): Promise<void> {
  const id = sessionIdOf(options)
  return inScope(shell, options, async (scope) => {
    const session = scope.session(id)
    await checkExists(session, scope)
    return work(session, scope)
  })
}

export function sessionIdOf({ session }: CommonOptions): string {
  if (session !== undefined) return session
  throw new CommandError(
    'usage',
    'No session given: name it after the command, or set DAYBOOK_SESSION. "daybook sessions" lists the sessions',
  )
}

/** For the library a session that nobody wrote to is empty; for a person it is most likely misspelt. */
async function checkExists(session: Session, scope: Scope): Promise<void> {
  const [first] = await session.history({ limit: 1 })
  if (first !== undefined || (await session.stats()).version > 0) return
  if ((await scope.sessions({ text: session.id })).sessions.some(({ id }) => id === session.id)) return
  throw new CommandError(
    'notFound',
    `Cannot find session ${JSON.stringify(session.id)} in ${JSON.stringify(scope.name)}: expected one of those that "daybook sessions" lists`,
  )
}

/** Reads a positive whole number. */
export function parseCount(value: string): number {
  if (/^\d{1,15}$/.test(value) && Number(value) > 0) return Number(value)
  throw new InvalidArgumentError('expected a positive whole number')
}

/** Reads a whole number, 0 or greater. */
export function parsePosition(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('expected a whole number, 0 or greater')
}

/** Reads a number, 0 or greater. */
export function parseAmount(value: string): number {
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number) && number >= 0) return number
  throw new InvalidArgumentError('expected a number, 0 or greater')
}

/** Reads a point in time: a version of the log as `12` or `v12`, or an ISO 8601 time, which the library checks. */
export function parseMoment(value: string): { readonly version: number } | string {
  const [, version] = /^v?(\d{1,15})$/.exec(value) ?? []
  return version === undefined ? value : { version: Number(version) }
}

/** Reads a point of a session: a sequence number such as `12`, a version such as `v12`, or an ISO 8601 time. */
export function parsePoint(value: string): number | ReturnType<typeof parseMoment> {
  return /^\d{1,15}$/.test(value) ? Number(value) : parseMoment(value)
}

/** Collects an option that may be given several times, and lists with commas. */
export function parseList(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...value.split(',').filter((item) => item !== '')]
}
