import { resolve } from 'node:path'
import { CommandError } from '../exit-status.ts'
import type { MemoryPlace } from '../with-memory.ts'
import type { McpStart } from './mcp-host.ts'

export interface StartOptions extends MemoryPlace {
  readonly scope: string
  readonly session?: string
  readonly toolset?: string
  readonly readOnly?: boolean
  readonly allowDestroy?: boolean
  readonly budget?: number
}

/** What a host runs to start this server. `-y`, since there nobody can be asked; `--create`, since there may be no memory yet. */
export function startWords(memory: string, options: StartOptions, platform: NodeJS.Platform): McpStart {
  const location = memory.includes('://') ? memory : resolve(memory)
  const words = [
    '-y',
    'daybook',
    'mcp',
    '--create',
    ...word('--memory', location),
    ...word('--scope', options.scope),
    ...word('--session', options.session),
    ...word('--toolset', options.toolset),
    ...word('--budget', options.budget),
    ...(options.readOnly === true ? ['--read-only'] : []),
    ...(options.allowDestroy === true ? ['--allow-destroy'] : []),
    ...word('--file-key', source('--file-key', options.fileKey)),
    ...word('--content-key', source('--content-key', options.contentKey)),
    ...word('--keys', options.keys),
  ]
  // On Windows, npx is a script, which only a shell can start.
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...words] } : { command: 'npx', args: words }
}

function word(flag: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [flag, String(value)]
}

/** Where a key is may be written into a configuration; the key itself may not. */
function source(flag: string, value: string | undefined): string | undefined {
  if (value === undefined || /^(env|file|command):/.test(value)) return value
  throw new CommandError('usage', `Cannot write a key into a configuration: pass ${flag} env:NAME or file:PATH`)
}
