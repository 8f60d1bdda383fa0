import { execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** A server of our own in a scratch directory. `fsync` stays on: what is tested is what users run. */
export interface Server {
  /** With the role that may do everything. */
  readonly url: string
  readonly port: number
  readonly directory: string
  /** Lines of its log that report an error. */
  readonly errors: readonly string[]
  /** The server's machine loses its power: nothing is written back. */
  crash(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  /** Makes a copy of it that follows it, on a port of its own, and waits until it does. */
  standby(): Promise<Server>
}

interface Home {
  readonly binaries: string
  readonly scratch: string
  readonly user: ReturnType<typeof otherUser>
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
export async function startServer(
  settings: readonly string[] = [],
  binaries: string | undefined = serverBinaries(),
): Promise<Server> {
  const home = newHome(binaries)
  const directory = join(home.scratch, 'data')
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execute(home, 'initdb', ['-D', directory, ...options])
  return runServer(home, directory, [
    `listen_addresses = '127.0.0.1'`,
    `unix_socket_directories = ''`,
    'max_connections = 200',
    'shared_buffers = 64MB',
    'fsync = on',
    ...settings,
  ])
}

function newHome(binaries: string | undefined): Home {
  if (binaries === undefined) throw new Error('Cannot start PostgreSQL: this machine has no initdb and postgres')
  const user = otherUser()
  const scratch = mkdtempSync(join(tmpdir(), 'daybook-postgres-'))
  if (user !== undefined) chownSync(scratch, user.uid, user.gid)
  chmodSync(scratch, 0o700)
  return { binaries, scratch, user }
}

function execute({ binaries, scratch, user }: Home, program: string, options: readonly string[]): void {
  execFileSync(join(binaries, program), options, { stdio: 'pipe', cwd: scratch, ...user })
}

/** Starts what is in a directory. */
async function runServer(home: Home, directory: string, settings: readonly string[]): Promise<Server> {
  const { binaries, scratch, user } = home
  const port = await freePort()
  appendFileSync(join(directory, 'postgresql.auto.conf'), `${[...settings, `port = ${port}`].join('\n')}\n`)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let postmaster: ReturnType<typeof spawn> | undefined
  let output = ''
  const errors: string[] = []
  // Whatever ends this process, the server goes with it.
  const atExit = (): void => void postmaster?.kill('SIGQUIT')
  process.once('exit', atExit)

  async function start(): Promise<void> {
    const child = spawn(join(binaries, 'postgres'), ['-D', directory], {
      cwd: scratch,
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    postmaster = child
    child.stderr?.on('data', (data: Buffer) => (output = `${output}${data.toString()}`.slice(-4_000)))
    if (child.stderr !== null)
      createInterface(child.stderr).on('line', (line) => {
        if (/ (?:ERROR|FATAL|PANIC): /.test(line)) errors.push(line)
      })
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

  async function crash(): Promise<void> {
    const child = postmaster
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGQUIT') // what the server calls an immediate shutdown
    await ended
  }

  /** Nothing of it is kept, so nothing has to be waited for: neither clients nor standbys. */
  async function stop(): Promise<void> {
    await crash()
    process.off('exit', atExit)
    rmSync(scratch, { recursive: true, force: true })
  }

  async function standby(): Promise<Server> {
    const other = newHome(binaries)
    const copy = join(other.scratch, 'data')
    const origin = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    execute(other, 'pg_basebackup', [...origin, '-D', copy, '-X', 'stream', '-R', '-c', 'fast', '--no-sync'])
    return runServer(other, copy, [])
  }

  await start().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url, port, directory, errors, crash, start, stop, standby }
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
export function otherUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const found = attempt(() => [
      { uid: Number(execFileSync('id', ['-u', name])), gid: Number(execFileSync('id', ['-g', name])) },
    ])[0]
    if (found !== undefined) return found
  }
  throw new Error('Cannot start PostgreSQL: it does not run as root, expected a user postgres or nobody')
}

export async function freePort(): Promise<number> {
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
