import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { withClient } from './database.ts'
import { freePort, otherUser } from './server.ts'

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync)

/** Whether this machine has PgBouncer. */
export const hasPooler: boolean = PROGRAM !== undefined

/** PgBouncer, which gives every transaction one of a few connections of the server. */
export interface Pooler extends AsyncDisposable {
  /** The same address, by way of the pooler. */
  through(url: string): string
}

/** Starts PgBouncer before a server, with so many connections to it for each database and role. */
export async function startPooler(server: string, connections: number): Promise<Pooler> {
  const { hostname, port: serverPort } = new URL(server)
  const user = otherUser()
  const folder = mkdtempSync(join(tmpdir(), 'daybook-pooler-'))
  const port = await freePort()
  const roles = ['postgres', 'daybook_test_owner', 'daybook_test_runtime']
  writeFileSync(join(folder, 'users.txt'), roles.map((role) => `"${role}" "daybook"\n`).join(''))
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 500
logfile = ${join(folder, 'log')}
`,
  )
  if (user !== undefined)
    for (const file of ['', 'users.txt', 'pgbouncer.ini']) chownSync(join(folder, file), user.uid, user.gid)
  const child = spawn(PROGRAM ?? 'pgbouncer', [join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...user })
  const atExit = (): void => void child.kill('SIGKILL')
  process.once('exit', atExit)
  const through = (url: string): string => {
    const other = new URL(url)
    other.host = `127.0.0.1:${port}`
    return other.href
  }
  for (let waited = 0; !(await isReady(through(server))); waited++) {
    if (child.exitCode !== null || waited > 200)
      throw new Error(`Cannot start PgBouncer: it ended with ${child.exitCode}`)
    await setTimeout(50)
  }
  return {
    through,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
      process.off('exit', atExit)
      rmSync(folder, { recursive: true })
    },
  }
}

function isReady(url: string): Promise<boolean> {
  return withClient(url, (client) => client.query('SELECT 1')).then(
    () => true,
    () => false,
  )
}
