import { isAbsolute, join } from 'node:path'

/** How to start the server: what a host runs. */
export interface McpStart {
  readonly command: string
  readonly args: readonly string[]
}

/** The machine that a host is configured on. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** The folder of the project, for hosts that have a configuration in it. */
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A program that starts MCP servers. */
export interface McpHost {
  readonly name: string
  readonly title: string
  /** Where its configuration is, for all projects of this user. */
  readonly file: (machine: Machine) => string
  /** Where its configuration for one project is, if it has one. */
  readonly projectFile?: (machine: Machine) => string
  /** JSON has the servers below this key; TOML in tables with this name. */
  readonly form: { readonly json: 'mcpServers' | 'servers' } | { readonly toml: 'mcp_servers' }
}

const JSON_SERVERS = { json: 'mcpServers' } as const

/** The hosts that `daybook mcp install` can configure. */
export const mcpHosts: readonly McpHost[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    file: ({ home, env }) => join(folderIn(env, 'CLAUDE_CONFIG_DIR') ?? home, '.claude.json'),
    projectFile: ({ folder }) => join(folder, '.mcp.json'),
    form: JSON_SERVERS,
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    file: (machine) => join(applicationData(machine), 'Claude', 'claude_desktop_config.json'),
    form: JSON_SERVERS,
  },
  {
    name: 'cursor',
    title: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: ({ folder }) => join(folder, '.cursor', 'mcp.json'),
    form: JSON_SERVERS,
  },
  {
    name: 'vscode',
    title: 'VS Code',
    file: (machine) => join(applicationData(machine), 'Code', 'User', 'mcp.json'),
    projectFile: ({ folder }) => join(folder, '.vscode', 'mcp.json'),
    form: { json: 'servers' },
  },
  {
    name: 'codex',
    title: 'Codex',
    file: ({ home, env }) => join(folderIn(env, 'CODEX_HOME') ?? join(home, '.codex'), 'config.toml'),
    projectFile: ({ folder }) => join(folder, '.codex', 'config.toml'),
    form: { toml: 'mcp_servers' },
  },
]

function applicationData({ platform, home, env }: Machine): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support')
  if (platform === 'win32') return folderIn(env, 'APPDATA') ?? join(home, 'AppData', 'Roaming')
  return folderIn(env, 'XDG_CONFIG_HOME') ?? join(home, '.config')
}

/** The folder that a variable names. One that is empty or relative counts as not set, as hosts see it. */
function folderIn(env: Machine['env'], name: string): string | undefined {
  const folder = env[name]
  return folder !== undefined && isAbsolute(folder) ? folder : undefined
}
