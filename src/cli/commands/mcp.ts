import process from 'node:process'
import { type Command, Option } from 'commander'
import { verbs } from '../../domain/key.ts'
import { type Toolset, toolsets } from '../../server/mcp/make-mcp-server.ts'
import { type CommonOptions, parseAmount, command, scopePathOf } from '../command.ts'
import type { Shell } from '../shell.ts'
import { withMemory } from '../with-memory.ts'

const SESSION_DEFAULT = 'mcp'
const BUDGET_DEFAULT = 2_000

type Options = CommonOptions & { readonly toolset: Toolset; readonly readOnly?: boolean; readonly budget: number }

export function mcpCommand(shell: Shell): Command {
  return command('mcp', 'Give a memory to an agent as an MCP server on stdin and stdout', {
    group: 'Programs',
    of: 'session',
    creates: true,
    examples: [
      'daybook mcp --scope acme/ada',
      'daybook mcp --memory agent.db --create --scope acme/ada --toolset reference',
      'daybook mcp --scope acme/ada --read-only',
    ],
  })
    .addOption(
      new Option('--toolset <name>', 'which tools: those of the reference memory server, our own, or both')
        .choices(toolsets)
        .default('all'),
    )
    .option('--read-only', 'only tools that change nothing')
    .option('--budget <tokens>', 'how much one answer may bring', parseAmount, BUDGET_DEFAULT)
    .addHelpText(
      'after',
      '\nIn the settings of a host:\n  { "mcpServers": { "memory": { "command": "npx", "args": ["daybook", "mcp", "--memory", "/path/agent.db", "--scope", "me"] } } }',
    )
    .action((options: Options) => speak(shell, options))
}

/** Stdout belongs to the protocol from the first byte to the last. */
async function speak(shell: Shell, options: Options): Promise<void> {
  const { toolset, readOnly = false, budget, session = SESSION_DEFAULT } = options
  const scope = scopePathOf(options)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  await withMemory(options, async (memory) => {
    const { serveMcp } = await import('../../server/mcp/serve-mcp.ts')
    const can = readOnly ? (['read'] as const) : verbs
    await serveMcp(shell, { scope: memory.scope(scope), session, budget, toolset, can, channel: 'agent' }, stop.signal)
  })
}
