import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildInspector } from '../../../scripts/build-inspector.ts'
import { ROOT } from '../../../scripts/run.ts'
import { freePort } from '../../postgres/server.ts'
import { type Served, chromiumPath, openBrowser, openReader, serveMemory } from './harness.ts'

const MESSAGES = '/v1/scopes/acme%2Fada/sessions/s/messages'

/** The server is at 127.0.0.1, so `localhost` is another site, and a name of our own points at it as after a rebinding. */
describe.skipIf(chromiumPath === undefined)('[inspector-30] another site, open beside a signed-in inspector,', () => {
  let browser: Browser
  let served: Served
  let site: Server
  let origin: string
  let shown = ''
  const folder = mkdtempSync(join(tmpdir(), 'daybook-other-site-'))

  beforeAll(async () => {
    await buildInspector()
    const port = await freePort()
    origin = `http://localhost:${port}`
    site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(shown)).listen(port)
    const command = [process.execPath, join(ROOT, 'src/cli/main.ts')]
    served = await serveMemory(ROOT, command, join(folder, 'memory.db'), ['--frame-ancestors', origin])
    await served.send(MESSAGES, { messages: { role: 'user', content: 'Keep this', id: 'kept' } })
    await served.send('/v1/scopes/acme%2Fada/facts', {
      facts: { subject: 'Ada', predicate: 'lives_in', object: 'Lisbon' },
    })
    browser = await openBrowser(['--host-resolver-rules=MAP rebound.example 127.0.0.1'])
  })
  afterAll(async () => {
    await browser?.close()
    await served?.stop()
    site?.close()
    rmSync(folder, { recursive: true })
  })

  /** What a frame of the other site shows of an address. */
  async function framed(page: Page, address: string): Promise<string> {
    shown = `<iframe src="${address}" width="900" height="600"></iframe>`
    await page.goto(origin)
    await setTimeout(1_500)
    const frame = page.frames()[1]
    return frame === undefined || frame.url().startsWith('chrome-error') ? 'refused' : frame.innerText('body')
  }

  it('cannot show it in a frame; `/me` only where the server names the site', async () => {
    await using reader = await openReader(browser, served)
    expect(await framed(reader.page, `${served.url}/sessions?scope=acme/ada`)).toBe('refused')
    expect(await framed(reader.page, `${served.url}/knowledge?scope=acme/ada`)).toBe('refused')
    const { token } = (await served.send('/v1/keys', { scope: 'acme/ada', can: ['read'] })) as { token: string }
    await framed(reader.page, `${served.url}/me#key=${token}`)
    const me = reader.page.frames()[1]
    await me?.waitForSelector('.known:has-text("Ada lives in Lisbon.")')
    const [file] = await Promise.all([reader.page.waitForEvent('download'), me?.click('text=Download everything')])
    expect(readFileSync(await file.path(), 'utf8')).toContain('Keep this')
    const elsewhere = origin.replace('localhost', 'rebound.example')
    shown = `<iframe src="${served.url}/me#key=${token}"></iframe>`
    await reader.page.goto(elsewhere)
    await setTimeout(1_500)
    expect(reader.page.frames()[1]?.url()).toMatch(/^chrome-error/)
  })

  it('cannot write with the cookie, by a form or by a script, nor read anything', async () => {
    await using reader = await openReader(browser, served)
    const forget = `${served.url}/v1/scopes/acme%2Fada/forget`
    shown = `<form method="post" enctype="text/plain" action="${forget}"><input name='{"session":"s","x":"' value='"}'></form>`
    await reader.page.goto(origin)
    await reader.page.evaluate('document.forms[0].submit()')
    await setTimeout(500)
    shown = 'a page'
    await reader.page.goto(origin)
    const outcome = await reader.page.evaluate<string>(`(async () => {
      const send = (address, options) => fetch(address, { credentials: 'include', ...options }).then(({ type, status }) => type + ' ' + status, () => 'refused')
      const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"session":"s"}' }
      return [
        await send('${forget}', json),
        await send('${forget}', { method: 'POST', mode: 'no-cors', body: '{"session":"s"}' }),
        await send('${served.url}${MESSAGES}'),
      ].join(', ')
    })()`)
    expect(outcome).toBe('refused, opaque 0, refused')
    expect(await served.read(MESSAGES)).toMatchObject({ messages: [{ id: 'kept' }] })
  })

  it('reaches nothing under a name that was bound to the address of the server later', async () => {
    await using reader = await openReader(browser, served)
    const rebound = served.url.replace('127.0.0.1', 'rebound.example')
    const answer = await reader.page.goto(`${rebound}/`)
    expect(answer?.status()).toBe(403)
    const read = await reader.page.evaluate<number>(
      `fetch('${MESSAGES}', { headers: { authorization: 'Bearer ${served.token}' } }).then(({ status }) => status)`,
    )
    expect(read).toBe(403)
  })
})
