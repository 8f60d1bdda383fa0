import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { verbs } from '../../domain/key.ts'
import { redactAddresses } from '../../domain/redact-addresses.ts'
import { type Toolset, toolsets } from '../../server/mcp/make-mcp-server.ts'
import { type CommonOptions, parseAmount, command, scopePathOf } from '../command.ts'
import { writeResult } from '../command-result.ts'
import { CommandError } from '../exit-status.ts'
import { type InstallOptions, installMcp } from '../mcp/install-mcp.ts'
import { homeOf } from '../home-of.ts'
import { memoryAtHome } from '../mcp/memory-at-home.ts'
import { mcpHosts } from '../mcp/mcp-host.ts'
import { projectOf } from '../mcp/project-of.ts'
import { startWords } from '../mcp/start-words.ts'
import { shellWord } from '../shell-word.ts'
import type { Shell } from '../shell.ts'
import { terminalText } from '../visible.ts'
import { FILE_DEFAULT, withMemory } from '../with-memory.ts'

const SESSION_DEFAULT = 'mcp'
const SCOPE_DEFAULT = 'me'
const BUDGET_DEFAULT = 2_000

type Options = CommonOptions &
  InstallOptions & {
    readonly toolset?: Toolset
    readonly readOnly?: boolean
    readonly allowDestroy?: boolean
    readonly budget?: number
    readonly import?: string
  }

export function mcpCommand(shell: Shell): Command {
  return command('mcp', 'Give a memory to an MCP host, such as Claude Code or Cursor', {
    group: 'Core',
    of: 'session',
    creates: true,
    embeds: true,
    whenLeftOut: {
      memory: `for install: ${FILE_DEFAULT} in your home folder`,
      scope: `for install, ${SCOPE_DEFAULT} if you leave it out`,
    },
    examples: [
      'daybook mcp install',
      'daybook mcp install claude-code --memory agent.db --scope me',
      'daybook mcp --memory agent.db --create --scope acme/ada',
      'daybook mcp --create --scope me --toolset reference --import memory.jsonl',
      'daybook mcp --scope acme/ada --read-only',
    ],
  })
    .argument('[action]', 'install: write the configuration of a host (default: start the server)')
    .argument('[host]', `${mcpHosts.map(({ name }) => name).join(', ')} (default: those on this machine)`)
    .addOption(
      new Option('--toolset <name>', `which tools: ${toolsets.join(', ')} (default: daybook)`).choices(toolsets),
    )
    .option('--read-only', 'offer only tools that change nothing')
    .option('--allow-destroy', 'also offer the tool forget, which destroys data permanently')
    .option('--budget <tokens>', `the longest result of a tool, in tokens (default: ${BUDGET_DEFAULT})`, parseAmount)
    .option('--import <file>', 'import the file of the reference memory server at the first start')
    .option('--project', "install: the project's configuration instead of the user's")
    .option('--yes', 'install: write without asking')
    .option('--dry-run', 'install: show the configuration, and write nothing')
    .addHelpText('after', () => `\nIn the settings of a host:\n${snippet(shell)}`)
    .action((action: string | undefined, host: string | undefined, options: Options) => {
      if (action === undefined) return speak(shell, options)
      if (action === 'install') return install(shell, host, options)
      throw new CommandError(
        'usage',
        `Unknown action ${JSON.stringify(action)}: write "daybook mcp install", or "daybook mcp" to start the server`,
      )
    })
}

/** For every host that has `mcpServers`, on one line. */
function snippet(shell: Shell): string {
  const start = startWords(
    memoryAtHome(shell.env),
    { scope: SCOPE_DEFAULT },
    { platform: process.platform, argv: shell.argv },
  )
  return `  ${JSON.stringify({ mcpServers: { daybook: start } })}`
}

async function install(shell: Shell, name: string | undefined, options: Options): Promise<void> {
  if (options.import !== undefined)
    throw new CommandError('usage', 'install does not take --import: run "daybook import" once instead')
  const { memory = memoryAtHome(shell.env), scope = SCOPE_DEFAULT } = options
  const start = startWords(memory, { ...options, scope }, { platform: process.platform, argv: shell.argv })
  const machine = { platform: process.platform, home: homeOf(shell.env), folder: process.cwd(), env: shell.env }
  const project = options.project === true ? undefined : projectOf(start)
  if (project !== undefined) shell.stderr.write(`${terminalText(projectWarning(project))}\n\n`)
  const { value, text } = await installMcp(shell, { name, start, machine }, options)
  const file = memory.includes('://') ? redactAddresses(memory) : resolve(memory)
  const facts = `daybook facts --memory ${shellWord(file)} --scope ${shellWord(scope)}`
  const hint = options.dryRun === true ? '' : `\nSee what it remembers: ${terminalText(facts)}`
  writeResult(shell, options, { value, text: (look) => `${text(look)}${hint}` })
}

/** A configuration for all projects that depends on one of them stops working when somebody cleans that one up. */
function projectWarning(project: string): string {
  return `Warning: this starts Daybook from the project ${project}. If that folder is moved or deleted, it no longer starts. To avoid this, run "npm install -g daybook" and then "daybook mcp install", or pass --project to configure only this project.`
}

/** Only the protocol may write to stdout. */
async function speak(shell: Shell, options: Options): Promise<void> {
  // --read-only limits the tools. The memory itself is opened for writing, so that what was stored before can be indexed and found.
  const { readOnly = false, ...place } = options
  const { toolset = 'daybook', allowDestroy = false } = options
  const { budget = BUDGET_DEFAULT, session = SESSION_DEFAULT } = options
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  await withMemory(place, async (memory) => {
    const { serveMcp } = await import('../../server/mcp/serve-mcp.ts')
    const scope = memory.scope(await scopePathOf(memory, options))
    if (options.import !== undefined) {
      const { importGraph } = await import('../mcp/import-graph.ts')
      shell.stderr.write(`${await importGraph(scope, session, options.import)}\n`)
    }
    const can = readOnly ? (['read'] as const) : verbs
    const settings = { scope, session, budget, toolset, can, channel: 'agent', allowDestroy } as const
    if (shell.stdin.isTTY === true) shell.stderr.write('Waiting for an MCP host on standard input\n')
    await serveMcp(shell, settings, stop.signal)
  })
}
