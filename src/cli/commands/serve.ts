import process from 'node:process'
import type { Command } from 'commander'
import { type ServeOptions, serve } from '../../server/serve.ts'
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
    readonly backups?: string
    readonly telemetry?: boolean
    readonly calibrate?: boolean
    readonly quiet?: boolean
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
    .option(
      '--key-file <file>',
      'where the first admin key is kept (default: <memory>.key, or daybook.key for a database)',
    )
    .option('--cert <file>', 'certificate for TLS')
    .option('--cert-key <file>', 'its key')
    .option('--behind-proxy', 'somebody in front speaks TLS to the world')
    .option('--allow-host <name...>', 'more names that requests may be addressed to')
    .option('--allow-origin <origin...>', 'pages of these origins may call')
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
    const server = await serve(opening, serverOptions(shell, options, file))
    const { url, link } = server
    writeResult(shell, options, {
      value: { url, link: link ?? null },
      text: ({ paint }) => `Serving ${file} at ${url}\n${paint('bold', link ?? '')}`.trimEnd(),
    })
    await toldToStop()
    shell.stderr.write('Answering what was begun, then stopping.\n')
    await server.close()
  } finally {
    await (await opening.catch(() => undefined))?.close()
  }
}

function serverOptions(shell: Shell, options: Options, file: string): ServeOptions {
  const { host, port, cert, certKey, behindProxy, allowHost, allowOrigin, backups, telemetry, quiet } = options
  return {
    keyFile: options.keyFile ?? keyFileOf(file),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(cert === undefined || certKey === undefined ? {} : { tls: { cert, key: certKey } }),
    ...(behindProxy === undefined ? {} : { behindProxy }),
    ...(allowHost === undefined ? {} : { hosts: allowHost }),
    ...(allowOrigin === undefined ? {} : { origins: allowOrigin }),
    ...(backups === undefined ? {} : { backups }),
    ...(telemetry === undefined ? {} : { telemetry }),
    // The name that all instrumentations of the GenAI conventions read.
    spanContent: shell.env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] === 'true',
    ...(quiet === true ? {} : { log: (line) => shell.stderr.write(`${JSON.stringify(line)}\n`) }),
  }
}

/** Beside a file; for a database, in the working directory. */
function keyFileOf(memory: string): string {
  return memory.includes('://') || memory === ':memory:' ? 'daybook.key' : `${memory}.key`
}

function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
