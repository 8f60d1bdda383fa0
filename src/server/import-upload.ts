import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileImportProgress, ImportLine, ImportReport, ImportUploadOptions } from '../api/imports.ts'
import { MemoryError } from '../domain/error.ts'
import type { JSONObject } from '../domain/json.ts'
import { refuse } from '../domain/refuse.ts'
import { LocalMemory } from '../memory/memory.ts'
import { checkCall } from '../surface/check-call.ts'
import { importOperations } from '../surface/imports.ts'
import { argumentsFrom } from '../surface/request-fields.ts'
import { problemOf } from '../wire/problem.ts'
import { arriving } from './arriving.ts'
import { isBlind } from './blind-answer.ts'
import { checkVoice } from './middleware/check-voice.ts'
import type { Call } from './route.ts'
import { streamOf } from './stream.ts'

/**
 * Imports an uploaded file as `scope.import` does. The file is stored in a folder of its own until it was read, since a zip is read from its
 * end. Sends how far it is, and then the report.
 */
export async function importUpload(call: Call): Promise<unknown> {
  const { given } = argumentsFrom(importOperations.file, call.query, call.names)
  checkCall(importOperations.file, ...given)
  const [name, options = {}] = given as readonly [string, ImportUploadOptions?]
  const type = call.request.headers.get('content-type') ?? ''
  if (!/^application\/octet-stream\s*(;|$)/i.test(type))
    refuse('import a file', 'content-type', type, 'application/octet-stream')
  const folder = await mkdtemp(join(tmpdir(), 'daybook-import-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  const path = join(folder, name)
  try {
    await store(call, path)
  } catch (error) {
    await remove()
    throw error
  }
  let isBegun = false
  const run = (onProgress: (progress: FileImportProgress) => void): Promise<ImportReport> => {
    isBegun = true
    return importStored(call, path, { ...options, onProgress }).finally(remove)
  }
  // A sender that leaves before the first line is asked for never begins the import.
  const stop = (): void => void (isBegun || remove())
  if (isBlind(call.key)) return run(() => undefined)
  return new Response(streamOf(lines(run), stop), {
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  })
}

/** @throws {MemoryError} `input/too-large` */
async function store(call: Call, path: string): Promise<void> {
  const { fileBytesMax } = call.limits
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const piece of arriving(call)) {
      bytes += piece.length
      if (bytes > fileBytesMax)
        throw new MemoryError('input/too-large', `Cannot import a file: expected at most ${fileBytesMax} bytes`, {
          max: fileBytesMax,
        })
      await file.write(piece)
    }
  } finally {
    await file.close()
  }
}

interface StoredImport extends ImportUploadOptions {
  readonly onProgress: (progress: FileImportProgress) => void
}

async function importStored(
  { memory, scope, key, signal }: Call,
  path: string,
  options: StoredImport,
): Promise<ImportReport> {
  const { importFile } = await import('../archive/import-file.ts')
  const { messageBytesMax } = LocalMemory.partsOf(memory).log
  return importFile(
    {
      messageBytesMax,
      importBatch: (batch, how) => {
        if (signal.aborted)
          throw new MemoryError(
            'server/unavailable',
            'Cannot continue: the client disconnected, or the server is stopping',
          )
        // Whoever may not speak as the system may not import such messages either.
        checkVoice(key, batch)
        return scope.importBatch(batch, how)
      },
    },
    path,
    options,
  )
}

/** Only the newest progress is sent: a slow client does not slow down the import. */
async function* lines(
  run: (onProgress: (progress: FileImportProgress) => void) => Promise<ImportReport>,
): AsyncGenerator<string> {
  let latest: FileImportProgress | undefined
  let moved = Promise.withResolvers<undefined>()
  const done: Promise<ImportLine> = run((progress) => {
    latest = progress
    moved.resolve(undefined)
  }).then(
    (report) => ({ type: 'report', report }) as const,
    (error: unknown) => ({ type: 'problem', problem: problemOf(error) as unknown as JSONObject }) as const,
  )
  for (;;) {
    const line = (await Promise.race([done, moved.promise])) ?? (latest && ({ type: 'progress', ...latest } as const))
    if (line !== undefined) yield `${JSON.stringify(line satisfies ImportLine)}\n`
    if (line !== undefined && line.type !== 'progress') return
    moved = Promise.withResolvers<undefined>()
  }
}
