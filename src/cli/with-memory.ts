import { defined } from '../domain/defined.ts'
import { existsSync } from 'node:fs'
import type { MemoryOptions } from '../api/open-memory.ts'
import type { KeySource } from '../domain/key-source.ts'
import type { Memory } from '../api/memory.ts'
import { CommandError } from './exit-status.ts'
import { memoriesIn } from './memories-in.ts'
import { shellWord } from './shell-word.ts'

export const FILE_DEFAULT: string = 'daybook.db'

export interface MemoryPlace {
  /** A file, or whatever else `openMemory` opens. */
  readonly memory?: string
  /** For a memory behind a server. */
  readonly key?: string
  /** The key of an encrypted file, or where it is: see `keyFrom`. */
  readonly fileKey?: string
  /** The master key of encrypted content, in the same way. */
  readonly contentKey?: string
  /** The file with its data keys. */
  readonly keys?: string
  /** Change nothing, and read a file that cannot be written. */
  readonly readOnly?: boolean
  /** Make the file if there is none. */
  readonly create?: boolean
  /** A module or an address: see `embedderFrom`. */
  readonly embedder?: string
}

/** Opens the memory, lets somebody use it, and closes it whatever happens. Looking at a memory teaches it nothing. */
export async function withMemory<Result>(
  place: MemoryPlace,
  use: (memory: Memory) => Promise<Result>,
  options: MemoryOptions = {},
): Promise<Result> {
  const memory = await openPlace(place, options)
  try {
    return await use(memory)
  } finally {
    await memory.close()
  }
}

export async function openPlace(place: MemoryPlace, options: MemoryOptions = {}): Promise<Memory> {
  const location = locationOf(place)
  // Loaded when needed: help and completion answer at once.
  const { openMemory } = await import('../memory/open-memory.ts')
  if (place.readOnly === true && location.includes('://'))
    throw new CommandError('usage', 'Cannot open a server or a database with --read-only: expected a file')
  const isServer = /^https?:\/\//i.test(location)
  if (isServer && place.embedder !== undefined)
    throw new CommandError('usage', 'Cannot use --embedder with a server: start the server with --embedder instead')
  const embedding = await embedderOf(place)
  // Behind a server, the server decides what is learned.
  return isServer
    ? openMemory(location, defined({ key: place.key }))
    : openMemory(location, { learn: false, ...readOnlyOf(place), ...options, ...encryptionOf(place), ...embedding })
}

async function embedderOf({ embedder }: MemoryPlace): Promise<Pick<MemoryOptions, 'embedder'>> {
  if (embedder === undefined) return {}
  const { embedderFrom } = await import('./embedder-from.ts')
  return { embedder: await embedderFrom(embedder) }
}

function readOnlyOf({ readOnly = false }: MemoryPlace): Pick<MemoryOptions, 'readOnly'> {
  return readOnly ? { readOnly } : {}
}

/** What a copy of a file needs. */
export function fileKeyOf({ fileKey }: MemoryPlace): MemoryPlace {
  return defined({ fileKey })
}

/** Of a place, its keys and nothing else. */
export function keysOf({ fileKey, contentKey, keys }: MemoryPlace): MemoryPlace {
  return {
    ...defined({ fileKey, contentKey, keys }),
  }
}

/** The keys of a memory, as the command line names them. */
export function encryptionOf({ fileKey, contentKey, keys }: MemoryPlace): Pick<MemoryOptions, 'encryption'> {
  if (fileKey === undefined && contentKey === undefined) return {}
  return {
    encryption: {
      ...(fileKey === undefined ? {} : { file: keyFrom(fileKey) }),
      ...(contentKey === undefined ? {} : { content: keyFrom(contentKey) }),
      ...defined({ keys }),
    },
  }
}

/** `env:NAME`, `file:path`, `command:program argument …`, or the key itself. */
function keyFrom(text: string): KeySource {
  const [, kind, rest = ''] = /^(env|file|command):(.+)$/s.exec(text) ?? []
  if (kind === 'env') return { env: rest }
  if (kind === 'file') return { path: rest }
  return kind === 'command' ? { command: rest.split(' ').filter((word) => word !== '') } : text
}

/** The memory of this folder: `daybook.db`, or the only one that is here. */
export function memoryHere(): string {
  if (existsSync(FILE_DEFAULT)) return FILE_DEFAULT
  const [only = FILE_DEFAULT, ...others] = memoriesIn('.')
  return others.length === 0 ? only : FILE_DEFAULT
}

/** A misspelt name must not become an empty memory. */
function locationOf({ memory: named, create = false }: MemoryPlace): string {
  const memory = named ?? (create ? FILE_DEFAULT : memoryHere())
  if (create || memory === ':memory:' || memory.includes('://') || existsSync(memory)) return memory
  const found = memoriesIn('.')
  if (found.length > 0)
    throw new CommandError(
      'notFound',
      `Cannot open ${JSON.stringify(memory)}: there is no such file. Here are ${found.join(', ')}: add --memory ${shellWord(found[0] ?? '')}`,
    )
  throw new CommandError(
    'notFound',
    `Cannot open ${JSON.stringify(memory)}: there is no such file. To create it, add --create to a command that stores something, for example: daybook append --create --memory ${shellWord(memory)} --scope me first "Hello"`,
  )
}
