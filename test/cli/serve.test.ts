import { type ChildProcessWithoutNullStreams, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { daybookOnTerminal, hasTerminal } from './harness.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-serve-'))
const main = join(import.meta.dirname, '../../src/cli/main.ts')
const children: ChildProcessWithoutNullStreams[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

interface Served {
  readonly url: string
  readonly link: string
  readonly stop: () => Promise<number | null>
}

async function serve(file: string, ...more: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, [main, 'serve', '--memory', file, '--port', '0', '--json', '--quiet', ...more])
  children.push(child)
  let out = ''
  for await (const chunk of child.stdout) {
    out += String(chunk)
    if (out.includes('\n')) break
  }
  const { url, link } = JSON.parse(out) as { url: string; link: string }
  return {
    url,
    link,
    stop: async () => {
      const ended = once(child, 'exit') as Promise<[number | null]>
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

function daybook(...words: readonly string[]): unknown {
  return JSON.parse(execFileSync(process.execPath, [main, ...words, '--json'], { encoding: 'utf8' }))
}

it('[http-5] [serve-1] serves a memory with a key of its own, and everything is there after a restart', async () => {
  const file = join(directory, 'a.db')
  const first = await serve(file)
  const key = readFileSync(`${file}.key`, 'utf8').trim()
  expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600)
  expect(first.link).toBe(`${first.url}/#key=${key}`)
  const remote = await openMemory(first.url, { key })
  await remote.scope('acme/ada').session('s').append({ role: 'user', content: 'Hello' })
  await remote.close()
  const { id, token } = daybook('key', 'create', '--memory', file, '--scope', 'acme/ada', '--can', 'read') as {
    id: string
    token: string
  }
  const reader = await openMemory(first.url, { key: token })
  expect(await reader.scope('acme/ada').session('s').count()).toBe(1)
  await expect(reader.scope('acme/bob').session('s').count()).rejects.toMatchObject({ code: 'access/not-found' })
  await expect(reader.scope('acme/ada').session('s').append({ role: 'user', content: 'x' })).rejects.toMatchObject({
    code: expect.stringMatching(/^access\//),
  })
  daybook('key', 'revoke', id, '--memory', file)
  await expect(reader.scope('acme/ada').session('s').count()).rejects.toMatchObject({
    code: 'access/unauthenticated',
  })
  await reader.close()
  expect(await first.stop()).toBe(0)
  const second = await serve(file)
  const again = await openMemory(second.url, { key })
  expect((await again.scope('acme/ada').session('s').history()).map(({ seq }) => seq)).toEqual([1])
  await again.close()
  expect(await second.stop()).toBe(0)
})

it('[http-5] has a key that works when the memory beside its file is a new one', async () => {
  const file = join(directory, 'again.db')
  const first = await serve(file)
  const old = readFileSync(`${file}.key`, 'utf8').trim()
  await first.stop()
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  const second = await serve(file)
  const key = readFileSync(`${file}.key`, 'utf8').trim()
  expect(key).not.toBe(old)
  expect(readFileSync(`${file}.key.old`, 'utf8').trim()).toBe(old)
  expect(second.link).toContain(key)
  const headers = { authorization: `Bearer ${key}` }
  expect((await fetch(`${second.url}/v1/keys`, { headers })).status).toBe(200)
  // A key that was revoked opens nothing, so no link is shown with it.
  const [{ id } = { id: '' }] = (daybook('key', '--memory', file) as { keys: { id: string }[] }).keys
  daybook('key', 'revoke', id, '--memory', file)
  await second.stop()
  const third = await serve(file, '--show-link')
  expect(third.link).toBeNull()
  await third.stop()
})

it('[walls-13] prints the link with the admin key at the first start; later on request, or on a terminal', async () => {
  const file = join(directory, 'link.db')
  const linkOf = async (...more: readonly string[]): Promise<unknown> => {
    const { link, stop } = await serve(file, ...more)
    await stop()
    return link
  }
  const first = await linkOf()
  const key = readFileSync(`${file}.key`, 'utf8').trim()
  expect(first).toContain(key)
  expect(await linkOf()).toBeNull()
  expect(await linkOf('--show-link')).toContain(key)
  if (!hasTerminal) return
  const terminal = daybookOnTerminal(['serve', '--memory', file, '--port', '0', '--quiet'])
  await terminal.shows(new RegExp(`#key=${key}`))
  terminal.type('\u0003')
  await terminal.ended
})

it('[http-6] does not serve with half of a certificate, as if nothing was', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, 'serve', '--memory', join(directory, 'c.db'), '--port', '0', '--cert', 'cert.pem'],
    { encoding: 'utf8' },
  )
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain('--cert-key')
})

it('[cli-1] [http-2] reads and writes a memory behind a server as one in a file', async () => {
  const { url, link, stop } = await serve(join(directory, 'remote.db'))
  const env = { ...process.env, DAYBOOK_MEMORY: url, DAYBOOK_KEY: link.split('#key=')[1], DAYBOOK_SCOPE: 'acme/ada' }
  const remote = (...words: readonly string[]): unknown =>
    JSON.parse(execFileSync(process.execPath, [main, ...words, '--json'], { encoding: 'utf8', env }))
  remote('append', '--session', 's', 'Order 7731 is late.')
  expect(remote('sessions')).toMatchObject({ sessions: [{ id: 's', messages: 1 }] })
  remote('remember', 'Ada prefers email')
  expect(remote('facts')).toMatchObject({ facts: [{ text: 'Ada prefers email' }] })
  await stop()
})
