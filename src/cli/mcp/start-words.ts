import { resolve } from 'node:path'
import { wholeEmbedder } from '../embedder-from.ts'
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

/** What runs the command line now. */
export interface RunningProgram {
  readonly platform: NodeJS.Platform
  /** The runtime and the file of the command line, as `process.argv` has them. */
  readonly argv: readonly string[]
}

/** Folders of npx, pnpm dlx, yarn dlx and bunx: a package that was fetched to be run once. */
const FETCHED = /[\\/](?:_npx|dlx|dlx-[^\\/]*|bunx-[^\\/]*)[\\/]/

/**
 * What a host runs to start this server. `--create`, since there may be no memory yet.
 *
 * An installed package is started by its path, which needs no registry and stays on its version. What npx fetched may be
 * deleted at any time, so the host runs npx as well; with `-y`, since there nobody can be asked.
 */
export function startWords(memory: string, options: StartOptions, program: RunningProgram): McpStart {
  const words = serverWords(memory, options)
  const [runtime, script] = program.argv
  if (runtime !== undefined && script !== undefined && !FETCHED.test(script))
    return {
      command: runtime,
      args: [...(/deno(?:\.exe)?$/.test(runtime) ? ['run', '--allow-all'] : []), script, ...words],
    }
  const npx = ['-y', 'daybook', ...words]
  // On Windows, npx is a script, which only a shell can start.
  return program.platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...npx] } : { command: 'npx', args: npx }
}

function serverWords(memory: string, options: StartOptions): readonly string[] {
  const location = memory.includes('://') ? memory : resolve(memory)
  return [
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
    ...word('--embedder', options.embedder && wholeEmbedder(options.embedder)),
  ]
}

function word(flag: string, value: string | number | undefined): readonly string[] {
  return value === undefined ? [] : [flag, String(value)]
}

/** Where a key is may be written into a configuration; the key itself may not. */
function source(flag: string, value: string | undefined): string | undefined {
  if (value === undefined || /^(env|file|command):/.test(value)) return value
  throw new CommandError('usage', `Cannot write a key into a configuration: pass ${flag} env:NAME or file:PATH`)
}
