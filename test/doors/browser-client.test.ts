import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { serve } from '../../src/server/index.ts'
import { type Project, makeProject } from './project.ts'

const BROWSER = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync)

/** What a page does with a memory behind a server. Its result is sent to where the page came from. */
const PROGRAM = `
import { connectMemory } from 'daybook/client'
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
async function use() {
  const memory = connectMemory(new URLSearchParams(location.search).get('link'))
  const ada = memory.scope('acme/ada')
  const session = ada.session('page')
  const seen = session.watch()[Symbol.asyncIterator]().next()
  await session.append([
    { role: 'user', content: [{ type: 'text', text: 'Order 7731 is late. ❤' }, { type: 'image', source: Uint8Array.from(atob(PIXEL), (c) => c.charCodeAt(0)) }] },
    { role: 'assistant', content: 'I will look.' },
  ])
  const first = (await seen).value.role
  const context = await session.context({ budget: 3000 })
  const image = context.as('anthropic').messages[0].content.find(({ type }) => type === 'image').source.data === PIXEL
  const { items } = await ada.recall('what is late?', { fresh: true })
  let archive = ''
  for await (const piece of memory.export()) archive += piece
  const { sessions } = await memory.import([archive])
  const pages = []
  for (let after; ; ) {
    const page = await ada.sessions({ limit: 1, ...(after === undefined ? {} : { after }) })
    pages.push(page.sessions.length)
    if (page.next === null || pages.length > 3) break
    after = page.next
  }
  const noFiles = await ada.import('chat.json').catch((error) => error.code)
  const badKey = await connectMemory(memory === undefined ? '' : new URL(new URLSearchParams(location.search).get('link')).origin, { key: 'dbk_no' })
    .scope('acme/ada').sessions().catch((error) => error.code)
  await memory.close()
  return { first, image, recalled: items.length > 0, archived: archive.includes('7731'), imported: sessions !== undefined, noFiles, badKey }
}
use().catch((error) => ({ failed: String(error), stack: error.stack })).then((result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) }))
`

describe('daybook/client', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject(['esbuild'], { manifest: { allowScripts: { esbuild: true } } })
    project.write('page.js', PROGRAM)
    const words = ['page.js', '--bundle', '--minify', '--platform=browser', '--outfile=out/page.js']
    const { code, output } = await project.run(project.bin('esbuild'), words)
    expect(code, output).toBe(0)
  })
  const bundle = (): string => readFileSync(join(project.folder, 'out/page.js'), 'utf8')

  it('[anywhere-22] bundles for a browser, without a module of Node', () => {
    const kB = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} kB`
    console.log(`daybook/client in a browser: ${kB(bundle().length)}, ${kB(gzipSync(bundle()).length)} after gzip`)
    expect(bundle()).not.toMatch(/["'`]node:/)
  })

  it.skipIf(BROWSER === undefined)('[anywhere-22] and runs in one, against a server that allows its page', async () => {
    let report: (result: unknown) => void = () => undefined
    const reported = new Promise((resolve) => (report = resolve))
    const site = createServer((request, response) => {
      if (request.url === '/result') void text(request).then((body) => report(JSON.parse(body)))
      const script = request.url === '/page.js'
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
      response.end(script ? bundle() : '<!doctype html><meta charset="utf-8"><script src="/page.js"></script>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    await using memory = await openMemory(':memory:')
    const server = await serve(memory, { port: 0, keyFile: join(project.folder, 'key'), origins: [origin] })
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking']
    const page = `${origin}/?link=${encodeURIComponent(server.link ?? '')}`
    const profile = `--user-data-dir=${join(project.folder, 'profile')}`
    const browser = spawn(BROWSER ?? '', [...flags, profile, page], { stdio: 'ignore' })
    try {
      expect(await reported).toEqual({
        first: 'user',
        image: true,
        recalled: true,
        archived: true,
        imported: true,
        noFiles: 'input/invalid',
        badKey: 'access/unauthenticated',
      })
    } finally {
      browser.kill()
      await server.close()
      site.close()
    }
  })
})
