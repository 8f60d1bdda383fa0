import { shellWord } from './shell-word.ts'

/** What `daybook init` needs to write the lines for a host. */
export interface HostPlace {
  readonly memory: string
  readonly scope: string
}

export interface HostLines {
  /** What it is called in the list. */
  readonly title: string
  /** Where the lines belong. */
  readonly where: string
  /** Packages to install. */
  readonly install: string
  lines(place: HostPlace): string
}

const quoted = (text: string): string => JSON.stringify(text)

function mcpWords({ memory, scope }: HostPlace): readonly string[] {
  return ['-y', 'daybook', 'mcp', '--memory', memory, '--create', '--scope', scope]
}

function mcpJson(place: HostPlace, field: string, more: object = {}): string {
  return JSON.stringify({ [field]: { memory: { ...more, command: 'npx', args: mcpWords(place) } } }, null, 2)
}

function program({ memory, scope }: HostPlace, imports: string, model: string): string {
  return `import { openMemory, runTurn } from 'daybook'
${imports}
const memory = await openMemory(${quoted(memory)})
const chat = memory.scope(${quoted(scope)}).session('first')

const result = await runTurn(chat, {
  model: ${model},
  input: 'Hello, my name is Ada.',
  context: { budget: 8_000, system: 'You are a helpful assistant.', recall: true },
})
console.log(result)
await memory.settled() // waits until facts are learned from what was said
await memory.close()`
}

/** The hosts of `daybook init` by name, with the lines that give each of them a memory. */
export const hostLines: Readonly<Record<string, HostLines>> = {
  none: {
    title: 'None yet: my own loop',
    where: 'agent.mjs',
    install: 'npm install daybook',
    lines: (place) =>
      program(
        place,
        '',
        '({ context }) => `I have read ${context.messages.length} messages.` /* call your model here */',
      ),
  },
  'ai-sdk': {
    title: 'Vercel AI SDK',
    where: 'agent.mjs',
    install: 'npm install daybook ai @ai-sdk/openai',
    lines: (place) => program(place, "import { openai } from '@ai-sdk/openai'\n", "openai('gpt-5')"),
  },
  'claude-code': {
    title: 'Claude Code',
    where: 'a terminal, in your project',
    install: '',
    lines: (place) => `claude mcp add memory -- npx ${mcpWords(place).map(shellWord).join(' ')}`,
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    where: 'claude_desktop_config.json',
    install: '',
    lines: (place) => mcpJson(place, 'mcpServers'),
  },
  cursor: { title: 'Cursor', where: '.cursor/mcp.json', install: '', lines: (place) => mcpJson(place, 'mcpServers') },
  vscode: {
    title: 'VS Code',
    where: '.vscode/mcp.json',
    install: '',
    lines: (place) => mcpJson(place, 'servers', { type: 'stdio' }),
  },
  codex: {
    title: 'Codex',
    where: '~/.codex/config.toml',
    install: '',
    lines: (place) => `[mcp_servers.memory]\ncommand = "npx"\nargs = [${mcpWords(place).map(quoted).join(', ')}]`,
  },
}
