import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

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

async function serve(file: string): Promise<Served> {
  const child = spawn(process.execPath, [main, 'serve', '--memory', file, '--port', '0', '--json', '--quiet'])
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
