import process from 'node:process'
import type { Command } from 'commander'
import { redactAddresses } from '../../domain/redact-addresses.ts'
import { type ServeOptions, type Server, serve } from '../../server/serve.ts'
import { type ResultOptions, writeResult } from '../command-result.ts'
import { command } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import type { Shell } from '../shell.ts'
import { type MemoryPlace, openPlace } from '../with-memory.ts'

type Options = MemoryPlace &
  ResultOptions & {
    readonly host?: string
    readonly port?: number
    readonly keyFile?: string
    readonly cert?: string
    readonly certKey?: string
    readonly behindProxy?: boolean
    readonly allowHost?: readonly string[]
    readonly allowOrigin?: readonly string[]
    readonly frameAncestors?: readonly string[]
    readonly backups?: string
    readonly telemetry?: boolean
    readonly calibrate?: boolean
    readonly quiet?: boolean
    readonly showLink?: boolean
  }

const MEMORY_DEFAULT = 'daybook.db'

export function serveCommand(shell: Shell): Command {
  return command('serve', 'Serve a memory over HTTP, until it is told to stop', {
    group: 'Programs',
    creates: true,
    examples: [
      'daybook serve',
      'daybook serve --memory agent.db --port 8080',
      'daybook serve --host 0.0.0.0 --behind-proxy',
    ],
  })
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <n>', 'and at which port, 0 for any that is free (default: 3773)', Number)
    .option('--key-file <file>', 'where the first admin key is kept (default for a file: <memory>.key)')
    .option('--show-link', 'print the link with the admin key, also where the output is no terminal')
    .option('--cert <file>', 'certificate for TLS')
    .option('--cert-key <file>', 'its key')
    .option('--behind-proxy', 'somebody in front speaks TLS to the world')
    .option('--allow-host <name...>', 'more names that requests may be addressed to')
    .option('--allow-origin <origin...>', 'pages of these origins may call')
    .option('--frame-ancestors <origin...>', 'pages of these origins may show /me in a frame')
    .option('--backups <directory>', 'where admin keys may have backups written')
    .option('--telemetry', 'spans for OpenTelemetry')
    .option('--no-calibrate', 'do not correct token estimates by the usage that callers report')
    .option('--quiet', 'no line for each request')
    .action((options: Options) => serveUntilTold(shell, options))
}

async function serveUntilTold(shell: Shell, options: Options): Promise<void> {
  const { memory: file = MEMORY_DEFAULT, cert, certKey } = options
  if ((cert === undefined) !== (certKey === undefined))
    throw new CommandError('usage', 'Cannot serve with half of a certificate: expected --cert and --cert-key together')
  const settings = serverOptions(shell, options, file)
  // A server is where messages come in: it learns from them.
  const opening = openPlace(
    { ...options, memory: file, create: true },
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
    await toldToStop()
    shell.stderr.write('Answering what was begun, then stopping.\n')
    await server.close()
  } finally {
    await (await opening.catch(() => undefined))?.close()
  }
}

/** The link holds the admin key. A terminal forgets it; a log file does not, so it gets the link once, or on request. */
function showsLink(shell: Shell, { showLink = false }: Options, { firstStart }: Server): boolean {
  return showLink || firstStart || shell.stdout.isTTY
}

function serverOptions(shell: Shell, options: Options, file: string): ServeOptions {
  const { host, port, cert, certKey, behindProxy, allowHost, allowOrigin, frameAncestors, backups, telemetry, quiet } =
    options
  return {
    keyFile: options.keyFile ?? keyFileOf(file),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(cert === undefined || certKey === undefined ? {} : { tls: { cert, key: certKey } }),
    ...(behindProxy === undefined ? {} : { behindProxy }),
    ...(allowHost === undefined ? {} : { hosts: allowHost }),
    ...(allowOrigin === undefined ? {} : { origins: allowOrigin }),
    ...(frameAncestors === undefined ? {} : { frameAncestors }),
    ...(backups === undefined ? {} : { backups }),
    ...(telemetry === undefined ? {} : { telemetry }),
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
