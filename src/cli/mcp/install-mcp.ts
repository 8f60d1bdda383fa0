import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { confirmed } from '../confirm.ts'
import type { CommandResult } from '../command-result.ts'
import { CommandError } from '../exit-status.ts'
import type { Shell } from '../shell.ts'
import { terminalText } from '../visible.ts'
import { type Machine, type McpHost, type McpStart, mcpHosts } from './mcp-host.ts'
import { writeConfiguration } from './write-configuration.ts'

export interface InstallOptions {
  /** Write without asking. */
  readonly yes?: boolean
  /** Show, and write nothing. */
  readonly dryRun?: boolean
  /** The configuration of this project instead of the user's. */
  readonly project?: boolean
}

interface Change {
  readonly host: McpHost
  readonly file: string
  readonly before: string | undefined
  readonly after: string
  /** Only this server, as it would be in an empty configuration. */
  readonly block: string
}

/** Shows what each host needs to start this server, asks, and writes it into the host's configuration. */
export async function installMcp(
  shell: Shell,
  { name, start, machine }: { readonly name: string | undefined; readonly start: McpStart; readonly machine: Machine },
  options: InstallOptions,
): Promise<CommandResult> {
  const changes = chosen(name, machine, options.project === true).map(([host, file]) => change(host, file, start))
  const shown = changes.map(({ host, file, block }) => `${host.title}: ${file}\n\n${indented(block)}`).join('\n\n')
  const report = (written: boolean): unknown => ({
    hosts: changes.map(({ host, file, before, after }) => {
      return { host: host.name, file, written: written && before !== after, configured: written || before === after }
    }),
    ...start,
  })
  if (options.dryRun === true) return { value: report(false), text: () => terminalText(shown) }
  const news = changes.filter(({ before, after }) => before !== after)
  if (news.length > 0) {
    shell.stderr.write(`${terminalText(shown)}\n\n`)
    await confirmed(shell, options.yes === true, `Write this into ${news.map(({ file }) => file).join(', ')}?`)
    for (const { file, after } of news) write(file, after)
  }
  const lines = changes.map(({ host, file, before, after }) =>
    before === after ? `${host.title} is already configured: ${file}` : `Wrote ${file}. Restart ${host.title}.`,
  )
  return { value: report(true), text: () => terminalText(lines.join('\n')) }
}

/** The host that was named, or those that are on this machine. */
function chosen(name: string | undefined, machine: Machine, project: boolean): readonly (readonly [McpHost, string])[] {
  const named = mcpHosts.filter((host) => name === undefined || host.name === name)
  const names = mcpHosts.map((host) => host.name).join(', ')
  if (named.length === 0)
    throw new CommandError('usage', `Cannot install for ${JSON.stringify(name)}: expected one of ${names}`)
  const places = named.flatMap((host) => {
    const place = project ? host.projectFile : host.file
    return place === undefined ? [] : [[host, place(machine)] as const]
  })
  if (places.length === 0)
    throw new CommandError('usage', `${named[0]?.title} has no project configuration: leave out --project`)
  const there = places.filter(([, file]) => existsSync(file) || (!project && isInstalled(file, machine)))
  if (name !== undefined) return places
  if (there.length > 0) return there
  throw new CommandError(
    'usage',
    `No MCP host found on this machine: name one, for example "daybook mcp install cursor". Known hosts: ${names}`,
  )
}

/** Whether the folder of its configuration exists. The home folder always does, so it proves nothing. */
function isInstalled(file: string, { home }: Machine): boolean {
  return dirname(file) !== home && existsSync(dirname(file))
}

function change(host: McpHost, file: string, start: McpStart): Change {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  const block = writeConfiguration(host, start, undefined) ?? ''
  const after = writeConfiguration(host, start, before)
  if (after !== undefined) return { host, file, before, after, block }
  throw new CommandError(
    'failed',
    `Cannot change ${file}: it is not plain JSON. Nothing was written; add this by hand:\n\n${block}`,
  )
}

/** Replaces the file in one step, because a host may read it at any time. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const beside = `${file}.${process.pid}.tmp`
  writeFileSync(beside, text, { mode: 0o600, flag: 'wx' })
  renameSync(beside, file)
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ')
}
