import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostgresOptions } from '../../src/api/postgres.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { type TestDatabase, databaseOn, withClient } from './database.ts'
import { type Server, otherUser, serverBinaries, startServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-tls-'))
const file = (name: string): string => join(folder, name)

describe.skipIf(serverBinaries() === undefined)('a server that takes only TLS and passwords', () => {
  let server: Server
  let database: TestDatabase
  beforeAll(async () => {
    authority('ca')
    authority('stranger')
    certificate('server', 'ca')
    const user = otherUser()
    if (user !== undefined)
      for (const name of ['.', 'server.crt', 'server.key']) chownSync(file(name), user.uid, user.gid)
    server = await startServer([
      'ssl = on',
      `ssl_cert_file = '${file('server.crt')}'`,
      `ssl_key_file = '${file('server.key')}'`,
    ])
    database = await databaseOn(server.url)
    await (await openMemory(database.url, { learn: false, postgres: database.postgres })).close()
    writeFileSync(
      join(server.directory, 'pg_hba.conf'),
      'host all postgres 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n',
    )
    await withClient(server.url, (client) => client.query('SELECT pg_reload_conf()'))
  }, 60_000)
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]()
    await server?.stop()
    rmSync(folder, { recursive: true })
  })

  const address = (parameters: string, password = 'daybook'): string => {
    const url = new URL(database.url)
    url.password = password
    url.hostname = 'localhost'
    return `${url.href}?${parameters}`
  }
  const open = async (url: string, postgres: PostgresOptions = {}): Promise<unknown> => {
    await using memory = await openMemory(url, { learn: false, postgres: { waitMs: 2_000, ...postgres } })
    return (await memory.scope('a').session('s').append({ role: 'user', content: 'x' })).length
  }
  const ca = (): string => readFileSync(file('ca.crt'), 'utf8')

  it('[anywhere-17] is reached with its authority by the address or by an option', async () => {
    expect(await open(address(`sslmode=verify-full&sslrootcert=${file('ca.crt')}`))).toBe(1)
    expect(await open(address(''), { tls: { ca: ca() } })).toBe(1)
    expect(await open(address('sslmode=require&application_name=x'), { tls: { ca: ca() } })).toBe(1)
  })

  it('[anywhere-17] is not trusted with the certificate of somebody else, and not reached without TLS', async () => {
    await expect(open(address(`sslmode=verify-full&sslrootcert=${file('stranger.crt')}`))).rejects.toThrow(
      /certificate/,
    )
    await expect(open(address(''), { tls: { ca: readFileSync(file('stranger.crt'), 'utf8') } })).rejects.toThrow(
      /certificate/,
    )
    await expect(open(address('sslmode=disable'))).rejects.toThrow(/only with TLS \(sslmode=require\)/)
  })

  it('[anywhere-17] [anywhere-25] asks a function for the password of each new connection', async () => {
    let asked = 0
    const password = async (): Promise<string> => {
      asked += 1
      return 'daybook'
    }
    expect(await open(address('', ''), { tls: { ca: ca() }, password })).toBe(1)
    expect(asked).toBeGreaterThan(0)
    await expect(open(address('', ''), { tls: { ca: ca() }, password: () => 'wrong' })).rejects.toThrow(
      /does not accept this role or its password; correct them.*"daybook_test_runtime"/,
    )
  })

  it('[anywhere-17] shows the name and the number of connections that the address asks for', async () => {
    const url = address(
      `sslmode=verify-full&sslrootcert=${file('ca.crt')}&application_name=agents&connections=2&statementMs=7000`,
    )
    await using memory = await openMemory(url, { learn: false })
    const appends = Array.from({ length: 20 }, (_, session) =>
      memory.scope('a').session(`n${session}`).append({ role: 'user', content: 'x' }),
    )
    await Promise.all([...appends, ...Array.from({ length: 20 }, () => memory.scope('a').sessions())])
    const { rows } = await withClient(server.url, (client) =>
      client.query(`SELECT count(*)::int AS "count" FROM pg_stat_activity WHERE application_name = 'agents'`),
    )
    const { count } = rows[0] as { count: number }
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(2)
    await expect(openMemory(`${address('')}connections=none`)).rejects.toMatchObject({ code: 'input/invalid' })
  })
})

function authority(name: string): void {
  openssl([
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.crt`),
  ])
}

function certificate(name: string, signer: string): void {
  openssl([
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    file(`${name}.key`),
    '-out',
    file(`${name}.csr`),
  ])
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  openssl([
    'x509',
    '-req',
    '-in',
    file(`${name}.csr`),
    '-CA',
    file(`${signer}.crt`),
    '-CAkey',
    file(`${signer}.key`),
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    file('names'),
    '-out',
    file(`${name}.crt`),
  ])
  chmodSync(file(`${name}.key`), 0o600)
}

function openssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' })
}
