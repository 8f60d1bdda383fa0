import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** A server of our own in a scratch directory. `fsync` stays on: what is tested is what users run. */
export interface Server {
  /** With the role that may do everything. */
  readonly url: string
  readonly port: number
  readonly directory: string
  /** The server's machine loses its power: nothing is written back. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** Where this machine keeps the programs of a server; `undefined` if it has none. */
export function serverBinaries(): string | undefined {
  const candidates = [
    ...attempt(() => [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()]),
    ...attempt(() =>
      readdirSync('/usr/lib/postgresql')
        .toSorted((a, b) => Number(b) - Number(a))
        .map((version) => `/usr/lib/postgresql/${version}/bin`),
    ),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
  return candidates.find((path) => existsSync(join(path, 'initdb')) && existsSync(join(path, 'postgres')))
}

/** Makes a server and starts it on a free port. More `settings` are lines of its configuration. */
export async function startServer(settings: readonly string[] = []): Promise<Server> {
  const binaries = serverBinaries()
  if (binaries === undefined) throw new Error('Cannot start PostgreSQL: this machine has no initdb and postgres')
  const user = otherUser()
  const scratch = mkdtempSync(join(tmpdir(), 'daybook-postgres-'))
  if (user !== undefined) chownSync(scratch, user.uid, user.gid)
  chmodSync(scratch, 0o700)
  const directory = join(scratch, 'data')
  const run = { stdio: 'pipe' as const, cwd: scratch, ...user }
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', directory, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    run,
  )
  const port = await freePort()
  const configuration = [
    `port = ${port}`,
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    'max_connections = 200',
    'shared_buffers = 64MB',
    'fsync = on',
    ...settings,
  ]
  writeFileSync(join(directory, 'postgresql.auto.conf'), `${configuration.join('\n')}\n`)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let postmaster: ReturnType<typeof spawn> | undefined
  let output = ''
  // Whatever ends this process, the server goes with it.
  process.once('exit', () => postmaster?.kill('SIGQUIT'))

  async function start(): Promise<void> {
    const child = spawn(join(binaries ?? '', 'postgres'), ['-D', directory], {
      ...run,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    postmaster = child
    child.stderr?.on('data', (data: Buffer) => (output = `${output}${data.toString()}`.slice(-4_000)))
    for (let waited = 0; ; waited++) {
      if (child.exitCode !== null) throw new Error(`Cannot start PostgreSQL: ${output}`)
      if (await isReady(url)) return
      if (waited > 600) {
        child.kill('SIGQUIT')
        throw new Error(`Cannot start PostgreSQL in a minute: ${output}`)
      }
      await setTimeout(50)
    }
  }

  /** The signals of the server: SIGINT is fast, SIGQUIT is immediate. */
  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const child = postmaster
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  await start()
  return {
    url,
    port,
    directory,
    crash: () => end('SIGQUIT'),
    start,
    stop: async () => {
      await end('SIGINT')
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root: then it runs as its own user, or as nobody. */
function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const found = attempt(() => [
      { uid: Number(execFileSync('id', ['-u', name])), gid: Number(execFileSync('id', ['-g', name])) },
    ])[0]
    if (found !== undefined) return found
  }
  throw new Error('Cannot start PostgreSQL: it does not run as root, expected a user postgres or nobody')
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port')
  return address.port
}

function attempt<Item>(run: () => readonly Item[]): readonly Item[] {
  try {
    return run()
  } catch {
    return []
  }
}
