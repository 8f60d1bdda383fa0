import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { program } from '../../src/cli/program.ts'
import type { Shell } from '../../src/cli/shell.ts'
import { redactAddresses } from '../../src/domain/redact-addresses.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { moveMemory } from '../../src/archive/move.ts'
import { times } from '../tier.ts'
import { daybook, folder } from './harness.ts'

const PLANTED = 'pLaNtEd'
const ADDRESSES: readonly string[] = [
  `postgres://app:${PLANTED}@127.0.0.1:1/name?waitMs=200`,
  `postgresql://app:${PLANTED}@127.0.0.1:1,127.0.0.1:2/name?waitMs=200`,
  `postgres://app:${PLANTED}@127.0.0.1:99999999/name`,
  `postgres://app:x/${PLANTED}@127.0.0.1/name`,
  `postgres://app:x#${PLANTED}@127.0.0.1/name`,
  `postgres://app:a b ${PLANTED}@127.0.0.1:port/name`,
  `postgres://app:${PLANTED}%@127.0.0.1:1/name`,
  `postgres://app:x@${PLANTED}@127.0.0.1:1/name?waitMs=200`,
  `postgress://app:${PLANTED}@127.0.0.1:1/name`,
  `postgre://app:${'long'.repeat(40)}${PLANTED}@127.0.0.1:1/name`,
  `postgres:/app:${PLANTED}@127.0.0.1:1/name`,
  `postgres:app:${PLANTED}@127.0.0.1:1/name`,
  `postgres//app:${PLANTED}@127.0.0.1:1/name`,
  `mysql://app:${PLANTED}@127.0.0.1:1/name`,
  `postgres://127.0.0.1:1/name?user=app&waitMs=200&password=${PLANTED}`,
  `http://app:${PLANTED}@127.0.0.1:1/`,
  `http://127.0.0.1:1/?key=${PLANTED}`,
]

/** Addresses of a server that is not there. */
const READABLE: ReadonlySet<string> = new Set([0, 1, 7, 14].map((index) => ADDRESSES[index] ?? ''))

describe('[walls-10] a password in an address', () => {
  const place = folder()
  const before = process.cwd()
  mkdirSync(join(place, 'work'))
  afterEach(() => process.chdir(before))

  it.concurrent.each(ADDRESSES)('is in no error of the library, however it is printed: %s', async (address) => {
    const options = /^postgres(ql)?:\/\//.test(address) ? { postgres: { waitMs: 200 } } : {}
    const errors = [
      await openMemory(address, options).then(use, (error: unknown) => error),
      await moveMemory(address, join(place, `x-${ADDRESSES.indexOf(address)}.db`)).catch((error: unknown) => error),
      await openMemory('postgres://app@127.0.0.1:1/name', { postgres: { migrate: address, waitMs: 200 } }).catch(
        (error: unknown) => error,
      ),
    ]
    for (const error of errors) {
      expect(error).toMatchObject({ code: expect.any(String) as string })
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PLANTED)
    }
  })

  it(
    'is in no output of any command, and in no name of a file',
    async () => {
      process.chdir(join(place, 'work'))
      const shell = {
        stdin: process.stdin,
        stdout: process.stdout,
        stderr: process.stderr,
        env: {},
        end: () => undefined,
      }
      const names = program(shell as unknown as Shell, '0').commands.map((command) => command.name())
      expect(names.length).toBeGreaterThan(25)
      // Those that can be read are tried for a while: what they print is tested below, once.
      const addresses = ADDRESSES.filter((one) => !READABLE.has(one))
      const tried = names.filter((one) => !['completion', 'help', 'mcp', 'chat'].includes(one))
      // At night every command with every address. By day each command with two of them, and each address with some commands.
      const each = times({ daily: 2, nightly: addresses.length })
      for (const [index, name] of tried.entries())
        for (let step = 0; step < each; step += 1) {
          const address = addresses[(index * 2 + step) % addresses.length] ?? ''
          for (const words of each === 2 ? [step === 0 ? [] : ['--json']] : [[], ['--json']]) {
            const ended = await daybook([name, '--memory', address, ...words], '')
            expect(`${ended.stdout}${ended.stderr}`, `${name} ${address}`).not.toContain(PLANTED)
          }
        }
      expect(readdirSync('.').join('\n')).not.toContain(PLANTED)
    },
    times({ daily: 2, nightly: 20 }) * 60_000,
  )

  it('is in no output of a server that cannot open its memory', async () => {
    process.chdir(join(place, 'work'))
    // The last one is tried for a while.
    for (const address of [ADDRESSES[2] ?? '', ADDRESSES[7] ?? '']) {
      const ended = await daybook(['serve', '--memory', address, '--port', '0', '--key-file', 'k.key'])
      expect(ended.status).not.toBe(0)
      expect(`${ended.stdout}${ended.stderr}`).not.toContain(PLANTED)
    }
  }, 60_000)
})

/** A server's address is only used when something is asked. */
async function use(memory: Awaited<ReturnType<typeof openMemory>>): Promise<unknown> {
  try {
    return await memory.stats().catch((error: unknown) => error)
  } finally {
    await memory.close()
  }
}

it('[walls-10] redacting keeps what is no secret', () => {
  for (const text of [
    'Cannot find session "a:b@c"',
    'write to ada@example.com',
    'postgres://app@db/name',
    'see https://x.org/a?b=c',
  ])
    expect(redactAddresses(text)).toBe(text)
  expect(redactAddresses('postgres://app:x@db/name')).toBe('postgres://app:***@db/name')
})

it('[walls-11] a malformed address is the caller’s mistake', async () => {
  for (const address of ADDRESSES.slice(2, 7).filter((one) => !one.includes('%@')))
    await expect(openMemory(address)).rejects.toMatchObject({ code: 'input/invalid' })
  await expect(openMemory(`postgres://app:%zz@127.0.0.1/name`)).rejects.toMatchObject({ code: 'input/invalid' })
  expect(existsSync('postgres:')).toBe(false)
})

it('[walls-12] serving a database asks for a key file, and a folder for backups that is missing is said at the start', async () => {
  const place = folder()
  const database = await daybook(['serve', '--memory', 'postgres://app@127.0.0.1:1/name', '--port', '0'])
  expect(database).toMatchObject({ status: 2, stderr: expect.stringContaining('--key-file') as string })
  const file = join(place, 'm.db')
  const missing = await daybook(['serve', '--memory', file, '--port', '0', '--backups', join(place, 'nowhere')])
  expect(missing).toMatchObject({ status: 2, stderr: expect.stringContaining('nowhere') as string })
})
