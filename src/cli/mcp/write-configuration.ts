import type { McpHost, McpStart } from './mcp-host.ts'

/** The name of the server in the configuration of a host. */
const SERVER = 'daybook'
const INDENT = 2

/**
 * The configuration of a host with this server added or replaced. Everything else in it stays.
 *
 * @returns `undefined` if the text is not plain JSON, for example because it has comments.
 */
export function writeConfiguration(host: McpHost, start: McpStart, before: string | undefined): string | undefined {
  if ('toml' in host.form) return inToml(before ?? '', tomlBlock(host.form.toml, start))
  const { json: key } = host.form
  const settings = before === undefined || before.trim() === '' ? {} : parseObject(before)
  const servers = settings === undefined ? undefined : (settings[key] ?? {})
  if (settings === undefined || !isObject(servers)) return undefined
  const entry = key === 'servers' ? { type: 'stdio', ...start } : start
  return `${JSON.stringify({ ...settings, [key]: { ...servers, [SERVER]: entry } }, undefined, INDENT)}\n`
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A JSON string is also a TOML string. */
function tomlBlock(table: string, { command, args }: McpStart): string {
  const list = args.map((arg) => JSON.stringify(arg)).join(', ')
  return `[${table}.${SERVER}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`
}

/** Replaces the table with this name, which ends where the next one begins, or appends it. */
function inToml(before: string, block: string): string {
  const lines = before.split('\n')
  const [header = ''] = block.split('\n')
  const from = lines.findIndex((line) => line.trim() === header)
  if (from < 0) return before.trim() === '' ? block : `${before.trimEnd()}\n\n${block}`
  const next = lines.findIndex((line, index) => index > from && /^\s*\[/.test(line))
  const rest = next < 0 ? '' : `\n${lines.slice(next).join('\n')}`
  return `${[...lines.slice(0, from), block].join('\n')}${rest}`
}
