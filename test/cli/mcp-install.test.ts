import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mcpHosts } from '../../src/cli/mcp/mcp-host.ts'
import { codeBlocks } from '../repository/code-blocks.ts'
import { daybook, folder } from './harness.ts'

const args = (home: string): readonly string[] => {
  return ['-y', 'daybook', 'mcp', '--create', '--memory', join(home, 'daybook.db'), '--scope', 'me']
}

/** Files on Linux, where the tests run. */
const files: Readonly<Record<string, string>> = {
  'claude-code': '.claude.json',
  'claude-desktop': '.config/Claude/claude_desktop_config.json',
  cursor: '.cursor/mcp.json',
  vscode: '.config/Code/User/mcp.json',
  codex: '.codex/config.toml',
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

describe.skipIf(process.platform !== 'linux')('[hosts-30] daybook mcp install', () => {
  it('writes the configuration of a host that is named, and leaves the rest of it', async () => {
    const home = folder()
    const file = join(home, '.cursor/mcp.json')
    put(file, JSON.stringify({ theme: 'dark', mcpServers: { other: { command: 'x' } } }))
    const { status, stdout, stderr } = await daybook(['mcp', 'install', 'cursor', '--yes'], '', { HOME: home })
    const look = `See what it remembers: daybook facts --memory ${join(home, 'daybook.db')} --scope me\n`
    expect({ status, stdout }).toEqual({ status: 0, stdout: `Wrote ${file}. Restart Cursor.\n${look}` })
    expect(stderr).toContain('"--create"')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      theme: 'dark',
      mcpServers: { other: { command: 'x' }, daybook: { command: 'npx', args: args(home) } },
    })
    const again = await daybook(['mcp', 'install', 'cursor'], '', { HOME: home })
    expect(again).toMatchObject({ status: 0, stdout: `Cursor is already configured: ${file}\n${look}` })
  })

  it('[anywhere-23] starts an installed package by its path, and what npx fetched by npx', async () => {
    const home = folder()
    const start = async (...argv: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await daybook(['mcp', 'install', 'cursor', '--dry-run', '--json'], '', { HOME: home }, argv)
      const { command, args: words } = JSON.parse(stdout) as { command: string; args: string[] }
      return [command, ...words]
    }
    const words = args(home).slice(2)
    const installed = '/home/me/agent/node_modules/.bin/daybook'
    expect(await start('/usr/bin/node', installed)).toEqual(['/usr/bin/node', installed, ...words])
    expect(await start('/usr/bin/deno', installed)).toEqual([
      '/usr/bin/deno',
      'run',
      '--allow-all',
      installed,
      ...words,
    ])
    for (const fetched of ['.npm/_npx/0', '.cache/pnpm/dlx/0', 'xfs-0/dlx-1', 'bunx-0-daybook@latest'])
      expect((await start('/usr/bin/node', `/home/me/${fetched}/node_modules/.bin/daybook`))[0]).toBe('npx')
  })

  it('[hosts-70] warns when all projects would depend on the folder of one', async () => {
    const home = folder()
    const noted = async (place: string, ...words: readonly string[]): Promise<string> => {
      put(join(home, place, 'package.json'), '{}')
      const argv = ['/usr/bin/node', join(home, place, 'node_modules/.bin/daybook')]
      return (await daybook(['mcp', 'install', 'cursor', '--dry-run', ...words], '', { HOME: home }, argv)).stderr
    }
    expect(await noted('agent')).toContain(`Warning: this starts Daybook from the project ${join(home, 'agent')}.`)
    expect(await noted('agent', '--project')).toBe('')
    expect(await noted('.local/share/pnpm/global/5')).toBe('')
    const argv = ['/usr/bin/node', '/usr/bin/daybook']
    expect((await daybook(['mcp', 'install', 'cursor', '--dry-run'], '', { HOME: home }, argv)).stderr).toBe('')
  })

  it('finds the hosts of this machine when none is named', async () => {
    const home = folder()
    expect(await daybook(['mcp', 'install', '--yes'], '', { HOME: home })).toMatchObject({ status: 2, stdout: '' })
    mkdirSync(join(home, '.codex'))
    put(join(home, '.claude.json'), '{}')
    const { stdout } = await daybook(['mcp', 'install', '--yes', '--json'], '', { HOME: home })
    const { hosts } = JSON.parse(stdout) as { hosts: { host: string; written: boolean }[] }
    expect(hosts.map(({ host, written }) => [host, written])).toEqual([
      ['claude-code', true],
      ['codex', true],
    ])
  })

  it('writes nothing without --yes where nobody can be asked, with --dry-run, or into what it cannot read', async () => {
    const home = folder()
    const file = join(home, '.config/Code/User/mcp.json')
    const unasked = await daybook(['mcp', 'install', 'vscode'], '', { HOME: home })
    expect(unasked).toMatchObject({ status: 2, stdout: '' })
    expect(unasked.stderr).toContain('--yes')
    const dry = await daybook(['mcp', 'install', 'vscode', '--dry-run'], '', { HOME: home })
    expect(dry.stdout).toContain('"type": "stdio"')
    expect(existsSync(file)).toBe(false)
    const commented = '{\n  // mine\n  "servers": {}\n}\n'
    put(file, commented)
    const refused = await daybook(['mcp', 'install', 'vscode', '--yes'], '', { HOME: home })
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('"daybook"')
    expect(readFileSync(file, 'utf8')).toBe(commented)
    const secret = ['mcp', 'install', 'cursor', '--yes', '--file-key', 'hunter2']
    expect(await daybook(secret, '', { HOME: home })).toMatchObject({ status: 2 })
    expect(await daybook(['mcp', 'install', 'emacs', '--yes'], '', { HOME: home })).toMatchObject({ status: 2 })
  })

  it('replaces its own table in the TOML of Codex, and no other', async () => {
    const home = folder()
    const file = join(home, '.codex/config.toml')
    const [before, after] = ['model = "gpt-5"\n\n', '[mcp_servers.other]\ncommand = "x"\n']
    put(file, `${before}[mcp_servers.daybook]\ncommand = "old"\nargs = []\n\n${after}`)
    await daybook(['mcp', 'install', 'codex', '--yes'], '', { HOME: home })
    const list = args(home).map((arg) => JSON.stringify(arg))
    const table = `[mcp_servers.daybook]\ncommand = "npx"\nargs = [${list.join(', ')}]\n\n`
    expect(readFileSync(file, 'utf8')).toBe(`${before}${table}${after}`)
    put(file, before)
    await daybook(['mcp', 'install', 'codex', '--yes'], '', { HOME: home })
    expect(readFileSync(file, 'utf8')).toBe(`${before}${table.trimEnd()}\n`)
  })

  it('is described by docs/mcp.md: each host, its file and its block', async () => {
    const manual = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8')
    const blocks = codeBlocks(manual).map(({ language, text }) =>
      language === 'json' ? (JSON.parse(text) as unknown) : text.trim(),
    )
    const home = '/home/me'
    for (const { name, title } of mcpHosts) {
      const { stdout } = await daybook(['mcp', 'install', name, '--dry-run'], '', { HOME: home })
      const block = stdout.slice(stdout.indexOf('\n\n')).replaceAll(/^ {2}/gm, '').trim()
      expect(blocks, title).toContainEqual(name === 'codex' ? block : JSON.parse(block))
      expect(manual, title).toContain(`\`~/${files[name]}\``)
    }
  })

  it.each([
    ['claude-desktop', { XDG_CONFIG_HOME: '' }, '.config/Claude/claude_desktop_config.json'],
    ['vscode', { XDG_CONFIG_HOME: 'config' }, '.config/Code/User/mcp.json'],
    ['codex', { CODEX_HOME: '' }, '.codex/config.toml'],
    ['claude-code', { CLAUDE_CONFIG_DIR: '/elsewhere' }, '/elsewhere/.claude.json'],
  ])('writes where %s looks, with %o', async (host, env, file) => {
    const home = folder()
    const { stdout } = await daybook(['mcp', 'install', host, '--dry-run'], '', { HOME: home, ...env })
    expect(stdout).toContain(`: ${resolve(home, file)}\n`)
  })
})
