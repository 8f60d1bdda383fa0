import { defined } from '../../domain/defined.ts'
import { type Command, Option } from 'commander'
import { checkScope } from '../../domain/names.ts'
import { asked } from '../asked.ts'
import { type CommandResult, type ResultOptions, writeResult } from '../command-result.ts'
import { command } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { type HostPlace, hostLines } from '../host-lines.ts'
import { homeOf } from '../home-of.ts'
import { memoryAtHome } from '../mcp/memory-at-home.ts'
import { installMcp } from '../mcp/install-mcp.ts'
import { mcpHosts } from '../mcp/mcp-host.ts'
import { startWords } from '../mcp/start-words.ts'
import type { Shell } from '../shell.ts'
import { FILE_DEFAULT } from '../with-memory.ts'

const SCOPE_DEFAULT = 'me'
const PROGRAM_FILE = 'agent.mjs'
const names = [...Object.keys(hostLines), ...mcpHosts.map(({ name }) => name)]

interface Options extends ResultOptions, Partial<HostPlace> {
  readonly host?: string
  readonly yes?: boolean
}

interface Chosen extends HostPlace {
  readonly host: string
}

export function initCommand(shell: Shell): Command {
  return command(
    'init',
    'Set up a memory for your host: asks three questions, then writes its configuration or prints a first program',
    {
      group: 'Core',
      of: 'scope',
      whenLeftOut: {
        memory: `for an MCP host: ${FILE_DEFAULT} in your home folder`,
        scope: `${SCOPE_DEFAULT} if you leave it out`,
      },
      examples: [
        'daybook init',
        'daybook init --host ai-sdk --memory agent.db --scope me',
        'daybook init --host cursor --yes',
      ],
    },
  )
    .addOption(new Option('--host <name>', 'the program that should have a memory').choices(names))
    .option('--yes', 'write the configuration of an MCP host without asking')
    .addHelpText(
      'after',
      '\nFor LangGraph, the OpenAI Agents SDK, the Claude Agent SDK, the SDK of Anthropic, Google ADK, Strands and Mem0, see docs/hosts.md in the package.',
    )
    .action(async (options: Options) => {
      const chosen = await choose(shell, options)
      checkScope('init', chosen.scope)
      writeResult(shell, options, programFor(chosen) ?? (await configure(shell, chosen, options)))
    })
}

function programFor({ host, ...place }: Chosen): CommandResult | undefined {
  const found = hostLines[host]
  if (found === undefined) return undefined
  const { install } = found
  const lines = found.program(place)
  return {
    value: { host, install, file: PROGRAM_FILE, lines },
    text: ({ paint }) =>
      [
        paint('dim', 'Install:'),
        install,
        '',
        paint('dim', `Save as ${PROGRAM_FILE}, then run: node ${PROGRAM_FILE}`),
        lines,
      ].join('\n'),
  }
}

/** Shows what belongs into the configuration of an MCP host, asks, and writes it. */
function configure(shell: Shell, { host: name, memory, scope }: Chosen, { yes }: Options): Promise<CommandResult> {
  const { env, argv } = shell
  const start = startWords(memory, { scope }, { platform: process.platform, argv })
  const machine = { platform: process.platform, home: homeOf(env), folder: process.cwd(), env }
  return installMcp(shell, { name, start, machine }, defined({ yes }))
}

/** A program has its memory beside it, an MCP host in the home folder. */
function memoryFor({ env }: Shell, host: string): string {
  return host in hostLines ? FILE_DEFAULT : memoryAtHome(env)
}

/** Asks for what was not given. Without a terminal there is nobody to ask, and defaults are used. */
async function choose(shell: Shell, { host, memory, scope }: Options): Promise<Chosen> {
  if (shell.stdin.isTTY !== true || shell.stderr.isTTY !== true) {
    if (host === undefined)
      throw new CommandError('usage', `No host given: pass --host with one of ${names.join(', ')}`)
    return { host, memory: memory ?? memoryFor(shell, host), scope: scope ?? SCOPE_DEFAULT }
  }
  const prompts = await import('@clack/prompts')
  const taken = (value: string | symbol): string => {
    if (typeof value !== 'string') throw new CommandError('interrupted', 'Nothing was written')
    return value
  }
  const options = [
    ...Object.entries(hostLines).map(([value, { title }]) => ({ value, label: title })),
    ...mcpHosts.map(({ name, title }) => ({ value: name, label: title })),
  ]
  const text = async (message: string, initialValue: string): Promise<string> =>
    taken(await asked(shell, (how) => prompts.text({ message, initialValue, ...how })))
  const message = 'Which program should have a memory?'
  const name = host ?? taken(await asked(shell, (how) => prompts.select({ message, options, ...how })))
  return {
    host: name,
    memory: memory ?? (await text('Which file should hold it?', memoryFor(shell, name))),
    scope: scope ?? (await text('Which scope should own the data? A name, or a path such as acme/ada', SCOPE_DEFAULT)),
  }
}
