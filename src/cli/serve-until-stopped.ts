import type { ListenOptions } from '../api/serve.ts'
import { redactAddresses } from '../domain/redact-addresses.ts'
import { type ServeOptions, type Server, serve } from '../server/serve.ts'
import { type ResultOptions, writeResult } from './command-result.ts'
import { listenFields } from '../surface/serve.ts'
import { CommandError } from './exit-status.ts'
import { givenOf } from './options-from.ts'
import type { Shell } from './shell.ts'
import { type MemoryPlace, memoryHere, openPlace } from './with-memory.ts'

export type ServeCommandOptions = MemoryPlace &
  ResultOptions &
  Omit<ListenOptions, 'tls' | 'spanContent'> & {
    readonly cert?: string
    readonly certKey?: string
    readonly calibrate?: boolean
    readonly quiet?: boolean
    readonly showLink?: boolean
  }

/** Serves a memory until the process gets a signal to stop. `serving` is called with the link for a browser, which has the key. */
export async function serveUntilStopped(
  shell: Shell,
  options: ServeCommandOptions,
  serving: (link: string | undefined) => void = () => undefined,
): Promise<void> {
  const { memory: file = memoryHere(), cert, certKey } = options
  if ((cert === undefined) !== (certKey === undefined))
    throw new CommandError('usage', 'Cannot serve with TLS: pass --cert and --cert-key together')
  const settings = serverOptions(shell, options, file)
  // A server is where messages come in: it learns from them.
  const opening = openPlace(
    { ...options, memory: file, create: options.create ?? true },
    {
      learn: 'patterns',
      calibrate: options.calibrate ?? true,
    },
  )
  opening.catch(() => undefined) // told by `serve`, or closed below
  try {
    const server = await serve(opening, settings)
    const { url } = server
    const link = showsLink(shell, options, server) ? (server.link ?? null) : null
    writeResult(shell, options, {
      value: { url, link },
      text: ({ paint }) => `Serving ${redactAddresses(file)} at ${url}\n${paint('bold', link ?? '')}`.trimEnd(),
    })
    serving(server.link)
    await toldToStop()
    shell.stderr.write('Finishing the requests that have begun, then stopping.\n')
    await server.close()
  } finally {
    await (await opening.catch(() => undefined))?.close()
  }
}

/** The link holds the admin key. A terminal forgets it; a log file does not, so it gets the link once, or on request. */
function showsLink(shell: Shell, { showLink = false }: ServeCommandOptions, { firstStart }: Server): boolean {
  return showLink || firstStart || shell.stdout.isTTY
}

function serverOptions(shell: Shell, options: ServeCommandOptions, file: string): ServeOptions {
  const { cert, certKey, quiet } = options
  return {
    ...(givenOf(listenFields, options) as ListenOptions),
    keyFile: options.keyFile ?? keyFileOf(file),
    ...(cert === undefined || certKey === undefined ? {} : { tls: { cert, key: certKey } }),
    // The name that all instrumentations of the GenAI conventions read.
    spanContent: shell.env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] === 'true',
    ...(quiet === true ? {} : { log: (line) => shell.stderr.write(`${redactAddresses(JSON.stringify(line))}\n`) }),
  }
}

/** Beside a file. A database has no place for it, so the caller names one. */
function keyFileOf(memory: string): string {
  if (memory.includes('://'))
    throw new CommandError(
      'usage',
      'No key file given: pass --key-file, for example --key-file daybook.key, where the first admin key is kept',
    )
  return memory === ':memory:' ? 'daybook.key' : `${memory}.key`
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
