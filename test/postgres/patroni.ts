import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { withClient } from './database.ts'
import { freePort, otherUser, serverBinaries } from './server.ts'

const [PATRONI, ETCD] = ['/usr/bin/patroni', '/usr/bin/etcd']

/** Whether this machine has Patroni, etcd and PostgreSQL. */
export const hasPatroni: boolean = existsSync(PATRONI) && existsSync(ETCD) && serverBinaries() !== undefined

/** One server of the cluster, with the Patroni that runs it. */
export interface Member {
  readonly name: string
  readonly port: number
  /** With the role that may do everything. */
  readonly url: string
  /** Its machine is gone: Patroni and PostgreSQL are killed at once. */
  kill(): Promise<void>
  start(): void
}

/** PostgreSQL as operators run it: three members, one of which leads, and two that have what it acknowledges. */
export interface Cluster extends AsyncDisposable {
  readonly members: readonly Member[]
  /** The member that takes writes, once it has a synchronous standby and `followers` in all. */
  leader(followers: number): Promise<Member>
  /** Everything that Patroni and etcd printed, for a report. */
  output(): string
}

/** Starts etcd and a cluster of Patroni on free ports. */
export async function startCluster(): Promise<Cluster> {
  const user = otherUser()
  const folder = mkdtempSync(join(tmpdir(), 'daybook-patroni-'))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  let printed = ''
  const processes = new Set<ChildProcess>()
  const launch = (program: string, words: readonly string[]): ChildProcess => {
    const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], ...user })
    const keep = (data: Buffer): void => void (printed = `${printed}${data.toString()}`.slice(-20_000))
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    processes.add(child)
    child.once('exit', () => processes.delete(child))
    return child
  }
  const [clients, peers] = [await freePort(), await freePort()]
  const [client, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
  const options = {
    name: 'etcd',
    'data-dir': join(folder, 'etcd'),
    logger: 'zap',
    'log-level': 'error',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  }
  launch(
    ETCD,
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  )
  const members: Member[] = []
  for (const name of ['one', 'two', 'three']) members.push(await prepareMember(name, { folder, etcd: clients, launch }))
  const stop = async (): Promise<void> => {
    for (const member of members) await member.kill()
    for (const child of processes) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const atExit = (): void => {
    for (const child of processes) child.kill('SIGKILL')
  }
  process.once('exit', atExit)
  for (const member of members) member.start()
  return {
    members,
    leader: (followers) => findLeader(members, followers, () => printed),
    output: () => printed,
    [Symbol.asyncDispose]: async () => {
      await stop()
      process.off('exit', atExit)
    },
  }
}

interface Place {
  readonly folder: string
  readonly etcd: number
  readonly launch: (program: string, words: readonly string[]) => ChildProcess
}

async function prepareMember(name: string, { folder, etcd, launch }: Place): Promise<Member> {
  const [port, api] = [await freePort(), await freePort()]
  const own = join(folder, name)
  mkdirSync(own)
  const data = join(own, 'data')
  const file = join(own, 'patroni.json')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(settings({ name, etcd, port, api, data, sockets: own })))
  const user = otherUser()
  if (user !== undefined) for (const path of [own, file]) chownSync(path, user.uid, user.gid)
  chmodSync(own, 0o700)
  let patroni: ChildProcess | undefined
  return {
    name,
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => void (patroni = launch(PATRONI, [file])),
    kill: async () => {
      const child = patroni
      if (child === undefined) return
      const ended =
        child.exitCode === null && child.signalCode === null ? new Promise((end) => child.once('exit', end)) : undefined
      child.kill('SIGKILL')
      const postmaster = postmasterOf(data)
      if (postmaster !== undefined) killProcess(postmaster)
      await ended
    },
  }
}

interface MemberPlace {
  readonly name: string
  readonly etcd: number
  readonly port: number
  readonly api: number
  readonly data: string
  readonly sockets: string
}

/** The defaults of Patroni wait for 30 seconds; these are the shortest it allows, so that twenty kills take minutes. */
export const TTL_S = 20

function settings({ name, etcd, port, api, data, sockets }: MemberPlace): object {
  return {
    scope: 'daybook',
    name,
    etcd3: { host: `127.0.0.1:${etcd}` },
    restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
    bootstrap: {
      dcs: {
        ttl: TTL_S,
        loop_wait: 2,
        retry_timeout: 3,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_keep_size: '256MB' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: data,
      bin_dir: serverBinaries(),
      pgpass: join(sockets, 'pgpass'),
      parameters: { unix_socket_directories: sockets, shared_buffers: '64MB' },
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
    },
  }
}

function postmasterOf(data: string): number | undefined {
  try {
    return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return undefined // it was never started, or has stopped
  }
}

/** The processes that serve connections notice that their parent is gone, and end. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it has ended
  }
}

const LEADS = `SELECT NOT pg_is_in_recovery() AS "leads",
  (SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming')::int AS "followers",
  (SELECT count(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))::int AS "synchronous"`

async function findLeader(members: readonly Member[], followers: number, output: () => string): Promise<Member> {
  for (let waited = 0; waited < 1_800; waited++) {
    for (const member of members) {
      const state = await withClient(member.url, async (client) => (await client.query(LEADS)).rows[0]).catch(
        () => undefined,
      )
      const found = state as { leads: boolean; followers: number; synchronous: number } | undefined
      if (found?.leads === true && found.followers >= followers && found.synchronous > 0) return member
    }
    await setTimeout(100)
  }
  throw new Error(`Cannot find a leader with ${followers} followers in three minutes: ${output()}`)
}
