import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../../../scripts/run.ts'
import { buildInspector } from '../../../scripts/build-inspector.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { databaseOn } from '../../postgres/database.ts'
import { serverBinaries, startServer } from '../../postgres/server.ts'
import { makeProject } from '../project.ts'
import { type Served, chromiumPath, openBrowser, openReader, serveMemory, settled } from './harness.ts'
import { openEveryView } from './open-every-view.ts'
import { payloads } from './payloads.ts'

const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8')
const KILOBYTE = 1_000
if (chromiumPath === undefined) console.log('The inspector is not tested in a browser: no Chromium, set CHROMIUM_PATH')

describe.skipIf(chromiumPath === undefined)('the inspector', () => {
  let browser: Browser
  let full: Served
  let empty: Served
  let assets: string
  let folder: string
  let poisoning: Promise<void> | undefined
  const poisoned = (): Promise<void> => (poisoning ??= poison(full))

  beforeAll(async () => {
    const project = await makeProject([])
    folder = project.folder
    const command = [process.execPath, join(project.folder, 'node_modules/daybook/dist/cli/main.js')]
    assets = join(project.folder, 'node_modules/daybook/dist/inspector/assets')
    ;[full, empty] = await Promise.all([
      serveMemory(project.folder, command, 'full.db'),
      serveMemory(project.folder, command, 'empty.db'),
    ])
    await fill(full)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([full?.stop(), empty?.stop()])
  })

  it('[inspector-2] takes the key out of the address into a cookie that no script can read', async () => {
    await using reader = await openReader(browser, full)
    expect(reader.page.url()).toBe(`${full.url}/`)
    const [cookie] = await reader.context.cookies()
    expect(cookie).toMatchObject({ value: full.token, httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(await reader.page.evaluate('document.cookie')).toBe('')
    await reader.page.reload()
    await settled(reader.page)
    expect(await heading(reader.page)).toContain('Sessions of')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-2] asks for a key when there is none or a wrong one', async () => {
    await using reader = await openReader(browser, { url: full.url, link: `${full.url}/#key=dbk_wrong` })
    expect(await heading(reader.page)).toBe('Open a memory')
    expect(await reader.page.textContent('[role=alert]')).toContain('wrong, has expired or was revoked')
    await reader.page.fill('#token', full.token)
    await reader.page.click('text=Sign in')
    await reader.page.waitForSelector('.session-row')
  })

  const views: readonly (readonly [name: string, path: string, wanted: string])[] = [
    ['sessions', '/sessions?scope=acme/ada', 'support-42'],
    ['conversation', '/session?scope=acme/ada&id=support-42', 'order 7731'],
    ['tokens', '/session?scope=acme/ada&id=support-42&tab=tokens', 'Cached share and cost'],
    ['rebuilt', '/session?scope=acme/ada&id=support-42&asOf=2100-01-01', 'built now from the log'],
    ['state', '/session?scope=acme/ada&id=support-42&tab=state', 'reshipped'],
    ['compactions', '/session?scope=acme/ada&id=support-42&tab=compactions', 'rolling'],
    ['knowledge', '/knowledge?scope=acme/ada', 'lives in'],
    ['recall', '/recall?scope=acme/ada&q=Where+does+Ada+live%3F', 'words'],
    ['quarantine', '/knowledge?scope=acme/ada&states=quarantine', 'phone calls'],
    ['waiting', '/knowledge?scope=acme/ada&tab=quarantine', 'no agent uses them'],
    ['graph', '/knowledge?scope=acme/ada&tab=graph', 'true now'],
    ['compare', '/knowledge?scope=acme/ada&tab=compare', 'came'],
    ['proposals', '/knowledge?scope=acme/ada&tab=proposals', 'Two names of one thing'],
    ['me', '/me?scope=acme/ada', 'You said'],
    ['jobs', '/memory?scope=acme/ada', 'learn'],
    ['health', '/memory?scope=acme/ada&tab=health', 'ready'],
    ['audit', '/memory?scope=acme/ada&tab=audit', 'messages.append'],
    ['keys', '/memory?scope=acme/ada&tab=keys', 'in use here'],
    ['import', '/memory?scope=acme/ada&tab=import', 'Drop a file'],
    ['keeping', '/memory?scope=acme/ada&tab=keeping', 'Everything is kept'],
    ['no such session', '/session?scope=acme/ada&id=nowhere', 'Nothing was said'],
    ['no match', '/sessions?scope=acme/ada&text=zzz', 'No session matches'],
  ]

  for (const [width, theme, examined] of [
    [1_440, 'light', true],
    [1_440, 'dark', true],
    [1_000, 'light', false],
    [360, 'light', true],
    [360, 'dark', true],
  ] as const)
    it(`[inspector-1] [inspector-4] shows every view at ${width} px in ${theme}, without faults${examined ? ', axe violations' : ''} or sideways scrolling`, async () => {
      await using reader = await openReader(browser, full, { width, theme })
      // Between the two layouts there is little to see that they do not show.
      for (const [name, path, wanted] of width === 1_000 ? views.slice(0, 5) : views) {
        await reader.open(path)
        expect(await reader.page.textContent('main'), name).toContain(wanted)
        expect(await overflow(reader.page), name).toBe(0)
        if (examined) expect(await violations(reader.page), name).toEqual([])
        await reader.picture(name.replaceAll(' ', '-'))
      }
      expect(reader.faults).toEqual([])
    })

  it.skipIf(serverBinaries() === undefined)(
    '[inspector-24] shows every view and state on PostgreSQL as well',
    async () => {
      await buildInspector()
      const server = await startServer()
      const command = [process.execPath, join(ROOT, 'src/cli/main.ts')]
      const database = await databaseOn(server.url)
      // Makes the tables, as the role that may.
      await (await openMemory(database.url, { postgres: database.postgres })).close()
      const served = await serveMemory(ROOT, command, database.url)
      try {
        {
          await using reader = await openReader(browser, served)
          await reader.page.waitForSelector('text=Nothing has been written yet.')
        }
        await fill(served)
        await using reader = await openReader(browser, served)
        for (const [name, path, wanted] of views) {
          await reader.open(path)
          await reader.page.waitForSelector(`main:has-text(${JSON.stringify(wanted)})`, { timeout: 15_000 })
          expect(await reader.page.textContent('main'), name).toContain(wanted)
        }
        expect(reader.faults).toEqual([])
        await sayForgotten(browser, served)
        await reader.open('/sessions?scope=acme/ada')
        await served.stop()
        await reader.page.waitForSelector('.banner:has-text("The server does not respond")')
        await served.start()
        await reader.page.waitForSelector('.banner', { state: 'detached' })
        await using stranger = await openReader(browser, { url: served.url, link: `${served.url}/#key=dbk_wrong` })
        expect(await heading(stranger.page)).toBe('Open a memory')
      } finally {
        await served.stop()
        await database[Symbol.asyncDispose]()
        await server.stop()
      }
    },
  )

  it('[inspector-1] says what to do with an empty memory', async () => {
    await using reader = await openReader(browser, empty)
    expect(await reader.page.textContent('main')).toContain('Nothing has been written yet.')
    expect(await violations(reader.page)).toEqual([])
    await reader.picture('empty')
    await reader.page.click('text=Load the sample')
    await reader.page.click('.session-row:has-text("support-42")')
    await reader.page.waitForSelector('.fold-card')
    await reader.page.waitForSelector('.account:has-text("The next request, not sent")')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-4] is used by keyboard alone', async () => {
    await using reader = await openReader(browser, full)
    const { page } = reader
    await page.keyboard.press('?')
    await page.waitForSelector('dialog[aria-label=Keys]')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.waitForSelector('text=What is known in')
    await page.keyboard.press('Control+k')
    await page.waitForSelector('dialog input')
    await page.keyboard.type('support-42')
    await page.waitForSelector('.found li:first-child:has-text("support-42"):has-text("session of")')
    await page.keyboard.press('Enter')
    await page.waitForSelector('article[aria-label]')
    await page.keyboard.press('j')
    expect(await page.evaluate(`document.activeElement?.getAttribute('aria-label')`)).toMatch(/^1, /)
    await page.keyboard.press('/')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForSelector('.ask input')
    await page.keyboard.press('/')
    await page.keyboard.type('Where does Ada live?')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.hit')
    await page.keyboard.press('Escape')
    await page.evaluate('document.activeElement.blur()')
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await tabTo(page, 'Graph')
    await tabTo(page, 'As a list')
    await page.waitForSelector('.edges li')
    await tabTo(page, 'Compare two moments')
    await page.waitForSelector('.diff-line')
    await tabTo(page, 'Proposals')
    await tabTo(page, 'Memory')
    await tabTo(page, 'Retention, export, forget')
    await page.waitForSelector('text=Everything is kept')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-1] goes from a fact to the words it came from', async () => {
    await using reader = await openReader(browser, full)
    await reader.open('/knowledge?scope=acme/ada')
    await reader.page.click('.fact:has-text("allergic to peanuts")')
    await reader.page.click('.account a:has-text("support-42, message")')
    await reader.page.waitForSelector('article:has-text("allergic to peanuts")')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-7] endorses, rejects and takes back facts, undoes a compaction, edits and forks', async () => {
    await using reader = await openReader(browser, full)
    const { page } = reader
    await full.send(`${ADA}/facts`, { facts: { subject: 'Bo', predicate: 'likes', object: 'tea' }, channel: 'tool' })
    await reader.open('/knowledge?scope=acme/ada&states=quarantine')
    await page.click('.fact:has-text("Bo likes tea")')
    await page.click('.fact-actions >> text=Endorse')
    await page.waitForSelector('.fact:has-text("Bo likes tea")', { state: 'detached' })
    await reader.open('/knowledge?scope=acme/ada&subject=Bo')
    await page.waitForSelector('tr:has-text("Bo likes tea"):has-text("current")')
    await page.click('.fact-actions >> text=Retract')
    await page.waitForSelector('tr:has-text("Bo likes tea"):has-text("retracted")')
    await reader.open('/session?scope=acme/ada&id=support-42')
    await page.click('.fold-card >> text=Undo')
    await page.waitForSelector('.fold-card', { state: 'detached' })
    await page.click('[aria-label="Actions for message 2"]')
    await page.click('.message-actions >> text=Edit')
    await page.fill('.message-actions textarea', 'My order 7731 is very late.')
    await page.click('text=Save as revision 1')
    await page.waitForSelector('article:has-text("very late"):has-text("revision 1")')
    await page.click('[aria-label="Actions for message 4"]')
    await page.click('.message-actions >> text=Fork from here')
    await page.click('text=Fork at 4')
    await page.waitForSelector('h1:has-text("support-42-fork-4")')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-8] destroys only what was named, after a dry run', async () => {
    await full.send(`${ADA}/sessions/to-destroy/messages`, { messages: { role: 'user', content: 'Burn this' } })
    await using reader = await openReader(browser, full)
    const { page } = reader
    await reader.open('/memory?scope=acme/ada&tab=keeping')
    await page.fill('[aria-label="Name of the session"]', 'to-destroy')
    await page.click('text=Forget …')
    await page.waitForSelector('dialog .ledger:has-text("Messages")')
    const destroy = page.locator('dialog >> text=Destroy').last()
    expect(await destroy.isDisabled()).toBe(true)
    await page.fill('dialog input', 'to-destro')
    expect(await destroy.isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    await reader.picture('forget')
    await page.fill('dialog input', 'to-destroy')
    await destroy.click()
    await page.waitForSelector('dialog:has-text("Receipt")')
    await reader.open('/session?scope=acme/ada&id=to-destroy')
    expect(await page.textContent('main')).toContain('Nothing was said')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-9] lets a person correct and destroy what is known about them, with a key of their own', async () => {
    const scope = '/v1/scopes/people%2Fbo'
    await full.send(`${scope}/facts`, { facts: { subject: 'Bo', predicate: 'lives_in', object: 'Oslo' } })
    const { token } = (await full.send('/v1/keys', { scope: 'people/bo', can: ['read', 'write'] })) as { token: string }
    await using reader = await openReader(browser, { url: full.url, link: `${full.url}/me#key=${token}` })
    const { page } = reader
    await page.waitForSelector('.known:has-text("Bo lives in Oslo.")')
    await page.click('text=Correct it')
    await page.fill('[aria-label="What is right"]', 'Bergen')
    await page.click('text=Save')
    await page.waitForSelector('.known:has-text("Bo lives in Bergen.")')
    await page.click('text=Forget it')
    await page.fill('dialog input', 'forget')
    await page.locator('dialog >> text=Destroy').last().click()
    await page.click('dialog >> text=Close')
    await page.waitForSelector('.mini-receipt:has-text("1 thing the assistant knew")')
    await page.waitForSelector('.known', { state: 'detached' })
    expect(reader.faults).toEqual([])
  })

  it('[inspector-1] shows a message as soon as it is appended, and never moves what is read', async () => {
    await using reader = await openReader(browser, full)
    const path = '/v1/scopes/acme%2Fada/sessions/lively/messages'
    const messages = Array.from({ length: 60 }, (_, index) => ({ role: 'user', content: `Line ${index}` }))
    await full.send(path, { messages })
    await reader.open('/session?scope=acme/ada&id=lively')
    await full.send(path, { messages: { role: 'user', content: 'A late one' } })
    await reader.page.click('.new-below:has-text("1 new below")')
    await reader.page.waitForSelector('article:has-text("A late one")')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-19] lists a new session and what was said last as soon as it is stored', async () => {
    await using reader = await openReader(browser, full)
    await reader.open('/sessions?scope=acme/ada')
    const session = `fresh-${randomUUID()}`
    const path = `${ADA}/sessions/${session}/messages`
    await full.send(path, { messages: { role: 'user', name: 'Bo', content: 'The first words' } })
    await reader.page.waitForSelector(`.session-row:has-text("${session}"):has-text("The first words")`)
    await full.send(path, { messages: { role: 'user', name: 'Bo', content: 'The last words' } })
    await reader.page.waitForSelector(`.session-row:has-text("${session}"):has-text("The last words")`)
    expect(reader.faults).toEqual([])
  })

  it('[inspector-20] shows an image of a message, loaded by its hash', async () => {
    await full.send(`${ADA}/sessions/pictures/messages`, {
      messages: {
        role: 'user',
        parts: [{ type: 'image', source: { type: 'base64', base64: PICTURE }, mediaType: 'image/png', name: 'lamp' }],
      },
    })
    await using reader = await openReader(browser, full)
    await reader.open('/session?scope=acme/ada&id=pictures')
    await reader.page.waitForFunction(`document.querySelector('.media img')?.naturalWidth === 8`)
    expect(reader.faults).toEqual([])
  })

  it('[inspector-21] imports a file that is dropped on the page, after a dry run', async () => {
    await using reader = await openReader(browser, full)
    const { page } = reader
    await reader.open('/memory?scope=people/imported&tab=import')
    await page.fill('input[placeholder="acme/ada"]', 'people/imported')
    await page.evaluate(`{
      const files = new DataTransfer()
      const said = [{ role: 'user', content: 'Where is it?' }, { role: 'assistant', content: 'Lost.' }]
      files.items.add(new File([JSON.stringify(said)], 'talk.json'))
      document.querySelector('.drop-zone').dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: files }))
    }`)
    await page.waitForSelector('text=Dry run, nothing is stored yet. 1 conversation in 1 file, as openai-chat.')
    expect(await violations(page)).toEqual([])
    await reader.picture('import-dry-run')
    await page.click('text=Import into people/imported')
    await page.click('section:has-text("Imported.") >> a')
    await page.waitForSelector('article:has-text("Where is it?")')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-23] applies and reverts a proposal, and shows the facts of a name in the graph', async () => {
    await using reader = await openReader(browser, full)
    const { page } = reader
    await reader.open('/knowledge?scope=acme/ada&tab=proposals')
    await page.click('button:text-is("Apply")')
    await page.click('button:text-is("Revert")')
    await page.waitForSelector('h2:has-text("reverted")')
    await reader.open('/knowledge?scope=acme/ada&tab=graph')
    await page.waitForSelector('canvas')
    await page.click('text=As a list')
    await page.click('.edges a:has-text("lives in Lisbon")')
    await page.waitForSelector('.account:has-text("lives in Lisbon")')
    expect(reader.faults).toEqual([])
  })

  it('[inspector-5] keeps what it shows while the server is away, and goes on by itself', async () => {
    await using reader = await openReader(browser, full)
    await reader.open('/sessions?scope=acme/ada')
    await full.stop()
    await reader.page.waitForSelector('.banner:has-text("The server does not respond")')
    expect(await reader.page.textContent('main')).toContain('support-42')
    await reader.picture('offline')
    await full.start()
    await reader.page.waitForSelector('.banner', { state: 'detached' })
    expect(await reader.page.textContent('.bar .live')).toBe('Live')
  })

  it('[inspector-3] shows 500 XSS payloads in every field as text: none runs, none asks another server', async () => {
    expect(new Set(payloads).size).toBe(500)
    await poisoned()
    await using reader = await openReader(browser, full)
    const { page } = reader
    await reader.open('/sessions?scope=evil')
    for (const row of await page.$$('.session-row')) await row.hover()
    await reader.open('/session?scope=evil&id=all')
    for (let seen = 0; seen < 40; seen += 1) {
      await page.mouse.wheel(0, 4_000)
      await page.waitForTimeout(15)
      for (const button of await page.$$('button:text-matches("^Show (result|reasoning|data)")'))
        await button.click({ timeout: 300 }).catch(() => undefined)
    }
    const { contexts } = await full.read<{ readonly contexts: readonly { readonly id: string }[] }>(
      '/v1/scopes/evil/sessions/all/contexts',
    )
    expect(contexts.length).toBeGreaterThan(0)
    await reader.open(`/session?scope=evil&id=all&turn=${contexts[0]?.id}`)
    await page.click('text=Show as JSON')
    for (let seen = 0; seen < 10; seen += 1) await page.mouse.wheel(0, 4_000)
    await reader.open('/session?scope=evil&id=all&tab=tokens')
    await page.click('text=Show as a table')
    await reader.open('/session?scope=evil&id=all&tab=state')
    await reader.open('/knowledge?scope=evil')
    for (let shown = 100; shown < 400; shown += 100) {
      await page
        .locator('.fact')
        .nth(shown - 1)
        .waitFor()
      await page.click('text=Show more')
    }
    for (const payload of payloads.filter((_, index) => index % 50 === 0))
      await reader.open(`/recall?scope=evil&q=${encodeURIComponent(payload)}`)
    await reader.open(`/sessions?scope=evil&text=${encodeURIComponent(payloads[0] ?? '')}`)
    await reader.open(`/session?scope=evil&id=${encodeURIComponent(payloads[1] ?? '')}`)
    expect(await page.evaluate(`'ran' in window`)).toBe(false)
    expect(reader.faults).toEqual([])
  })

  it('[inspector-3] shows payloads as text in every view that the page links to, and each of these views is in the list of views', async () => {
    await poisoned()
    await using reader = await openReader(browser, full)
    const { page } = reader
    const opened = await openEveryView(reader, 'evil', 'all')
    const listed = views.map(([, path]) => {
      const { pathname, searchParams } = new URL(path, full.url)
      return `${pathname} ${searchParams.get('tab') ?? ''}`.trim()
    })
    // The first tab has two addresses.
    const known = new Set([...listed, '/memory jobs'])
    expect(opened.length).toBeGreaterThanOrEqual(17)
    expect(opened.filter((view) => !known.has(view))).toEqual([])
    const [bad = '', worse = ''] = payloads
    const inside = (path: string, fields: Readonly<Record<string, string>>): Promise<void> =>
      reader.open(`${path}?${new URLSearchParams({ scope: 'evil', ...fields })}`)
    for (const subject of payloads.slice(0, 10)) await inside('/knowledge', { subject })
    await full.send('/v1/scopes/evil/facts', {
      facts: { subject: bad, predicate: 'knows', object: { entity: payloads[5] } },
    })
    await inside('/knowledge', { tab: 'graph' })
    await page.click('text=As a list')
    await page.waitForSelector('.edges li')
    await inside('/knowledge', { tab: 'proposals' })
    await page.waitForSelector('h2:has-text("Two names of one thing")')
    await inside('/knowledge', { tab: 'compare' })
    await page.waitForSelector('.diff-line')
    await inside('/me', {})
    await page.waitForSelector('.known')
    await inside('/session', { id: 'all', asOf: '2100-01-01' })
    await inside('/recall', { q: bad })
    await page.click('.hit >> text=Save as expectation')
    await inside('/memory', { tab: 'import' })
    await page.setInputFiles('input[type=file]', {
      name: `${worse.replaceAll(/[^\w <>="'()]/g, '')}.json`,
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify([{ role: 'user', name: bad, content: worse }])),
    })
    await page.waitForSelector('text=Dry run, nothing is stored yet.')
    expect(await page.evaluate(`'ran' in window`)).toBe(false)
    expect(reader.faults).toEqual([])
  })

  it('[inspector-26] says that a conversation was forgotten while it was open', async () => {
    await sayForgotten(browser, full)
  })

  it('[inspector-26] hides what a key may not do, and asks for another one when it has expired', async () => {
    const { token } = (await full.send('/v1/keys', { scope: 'acme/ada', can: ['read'] })) as { token: string }
    await using reader = await openReader(browser, { url: full.url, link: `${full.url}/#key=${token}` })
    await reader.open('/session?scope=acme/ada&id=support-42')
    expect(await reader.page.locator('[aria-label^="Actions for message"]').count()).toBe(0)
    await reader.open('/sessions?scope=acme/grace')
    expect(await reader.page.textContent('main')).toContain('There is nothing here for this key.')
    const expiresAt = new Date(Date.now() + 1_500).toISOString()
    const short = (await full.send('/v1/keys', { scope: 'acme/ada', can: ['read'], expiresAt })) as { token: string }
    await using late = await openReader(browser, { url: full.url, link: `${full.url}/#key=${short.token}` })
    await late.page.waitForTimeout(Math.max(0, Date.parse(expiresAt) - Date.now()) + 50)
    await late.page.goto(`${full.url}/sessions?scope=acme/ada`)
    await late.page.waitForSelector('h1:has-text("Open a memory")')
  })

  it('[inspector-26] says so where a request differs from its digest, and where there are a million facts', async () => {
    await using reader = await openReader(browser, full)
    const { page } = reader
    // Another test forgot what the recorded contexts of the sample show, and they went with it.
    await full.send(`${ADA}/sessions/support-42/context`, { budget: 8_000 })
    let contexts: readonly { readonly id: string }[] = []
    while (contexts.length === 0)
      ({ contexts } = await full.read<{ readonly contexts: typeof contexts }>(`${ADA}/sessions/support-42/contexts`))
    // What is sent from outside of the page has no use for its cookie.
    const headers = { authorization: `Bearer ${full.token}` }
    await page.route(/\/contexts\/[^/]+$/, async (route) => {
      const response = await route.fetch({ headers })
      const record = (await response.json()) as object
      await route.fulfill({ response, json: { ...record, agrees: false, firstDifference: 1 } })
    })
    await reader.open(`/session?scope=acme/ada&id=support-42&turn=${contexts[0]?.id}`)
    await page.waitForSelector('.seal:has-text("From message 2 of the request")')
    await page.waitForSelector('text=not what was sent')
    // A stand-in for a memory that takes long to fill: each page has another one after it.
    await page.route(/\/facts\?/, async (route) => {
      const url = new URL(route.request().url())
      url.searchParams.delete('after')
      const response = await route.fetch({ url: url.href, headers })
      const found = (await response.json()) as { readonly facts: readonly object[] }
      const facts = Array.from({ length: 100 }, (_, index) => ({ ...found.facts[0], id: `fact-${index}` }))
      await route.fulfill({ response, json: { ...found, facts, next: 'more' } })
    })
    await reader.open('/knowledge?scope=acme/ada')
    await page.waitForSelector('text=100 facts shown so far')
    await page.waitForSelector('text=Show more')
    await reader.picture('differs')
  })

  it('[inspector-26] shows the beginning of a message of 16 MB, and says how long it is', async () => {
    const text = `The beginning. ${'lamp '.repeat(3_200_000)}`
    {
      await using memory = await openMemory(join(folder, 'full.db'), { learn: false })
      await memory.scope('acme/ada').session('huge').append({ role: 'user', content: text })
    }
    await using reader = await openReader(browser, full)
    await reader.page.goto(`${full.url}/session?scope=acme/ada&id=huge`)
    // A request has only a part of it, so it is behind a fold.
    await reader.page.click('.fold-card >> text=Open', { timeout: 120_000 })
    await reader.page.waitForSelector('.cut-note:has-text("The first 64,000 of 16,000,015 characters.")', {
      timeout: 120_000,
    })
    expect(reader.faults).toEqual([])
  }, 300_000)

  it('[inspector-3] shows bidi and zero-width characters as code points', async () => {
    await using reader = await openReader(browser, full)
    await reader.open('/session?scope=acme/ada&id=hidden')
    const shown = await reader.page.$$eval('.hidden-character', (found) => found.map((each) => each.textContent))
    expect(shown).toEqual(['U+202E', 'U+202C', 'U+200B'])
  })

  it('[inspector-6] loads at most 60 kB of script for the first view, and 200 kB in all', async () => {
    const sizes = readdirSync(assets)
      .filter((name) => name.endsWith('.js.gz'))
      .map((name) => ({ name, bytes: readFileSync(join(assets, name)).length }))
    const whole = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
    const context = await browser.newContext()
    const page = await context.newPage()
    const first: string[] = []
    page.on('response', (response) => first.push(new URL(response.url()).pathname.replace('/assets/', '')))
    await page.goto(full.link)
    await page.waitForSelector('.session-row')
    await context.close()
    const bytes = sizes
      .filter(({ name }) => first.includes(name.slice(0, -'.gz'.length)))
      .reduce((sum, file) => sum + file.bytes, 0)
    console.log(
      `inspector: ${(bytes / KILOBYTE).toFixed(1)} kB of script first, ${(whole / KILOBYTE).toFixed(1)} kB in all, gzip`,
    )
    expect(bytes).toBeGreaterThan(10 * KILOBYTE)
    expect(bytes).toBeLessThanOrEqual(60 * KILOBYTE)
    expect(whole).toBeLessThanOrEqual(200 * KILOBYTE)
  })

  it('[inspector-15] [inspector-16] shows for 200 turns exactly the messages that a provider received', async () => {
    const session = `sent-${randomUUID()}`
    const received = await converse(full, session, 200)
    const { contexts } = await full.read<{ readonly contexts: readonly { readonly id: string }[] }>(
      `${ADA}/sessions/${session}/contexts?limit=1000`,
    )
    const ids = contexts.map(({ id }) => id).toReversed()
    expect(ids).toHaveLength(received.length)
    await using reader = await openReader(browser, full)
    const { page } = reader
    await reader.open(`/session?scope=acme/ada&id=${session}&turn=${ids[0]}`)
    await page.click('text=Show as JSON')
    for (const [turn, id] of ids.entries()) {
      if (turn > 0) await page.keyboard.press('ArrowRight')
      await page.waitForSelector(`[data-turn="${id}"]`)
      expect(await page.textContent('pre.json'), `turn ${turn + 1}`).toBe(received[turn])
    }
    expect(await page.textContent('.slider h2')).toBe('Turn 200 of 200')
    expect(await page.textContent('.seal')).toContain('Exactly what was sent')
    expect(await page.textContent('.difference')).toContain('Against the request before')
    expect(await page.getAttribute('.track input', 'aria-valuetext')).toMatch(
      /^Turn 200 of 200, [\d,]+ tokens, \d+% cached$/,
    )
    expect(await violations(page)).toEqual([])
    await reader.picture('turn')
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('.account:has-text("The next request, not sent")')
    await reader.open(`/session?scope=acme/ada&id=${session}&tab=tokens`)
    expect(await page.textContent('main')).toMatch(
      /Turns200.*Equal to the turn before[\d,]+Cost at your prices[\d.]+Without a cache[\d.]+/,
    )
    await page.click('text=Show as a table')
    expect(await page.locator('.table-scroll tbody tr').count()).toBe(200)
    expect(await violations(page)).toEqual([])
    await reader.picture('tokens-of-200')
    expect(reader.faults).toEqual([])
  }, 240_000)

  it('[inspector-1] scrolls 10,000 messages, drawing only those in view', async () => {
    const path = '/v1/scopes/acme%2Fada/sessions/long/messages'
    for (let page = 0; page < 10; page += 1)
      await full.send(path, {
        messages: Array.from({ length: 1_000 }, (_, index) => ({
          role: 'user',
          content: `Said ${page * 1_000 + index + 1}`,
        })),
      })
    await using reader = await openReader(browser, full)
    await reader.open('/session?scope=acme/ada&id=long&seq=7000')
    await reader.page.waitForSelector('article:has-text("Said 7000")')
    expect((await reader.page.$$('article')).length).toBeLessThan(60)
    expect(reader.faults).toEqual([])
  })
})

/** What the page says of a conversation that is destroyed while somebody reads it. */
async function sayForgotten(browser: Browser, served: Served): Promise<void> {
  const session = `brief-${randomUUID()}`
  await served.send(`${ADA}/sessions/${session}/messages`, { messages: { role: 'user', content: 'Burn this' } })
  await using reader = await openReader(browser, served)
  await reader.open(`/session?scope=acme/ada&id=${session}`)
  await reader.page.waitForSelector('article:has-text("Burn this")')
  await served.send(`${ADA}/forget`, { session })
  await reader.page.waitForSelector('text=This conversation was forgotten while you had it open.')
  expect(await reader.page.textContent('main')).not.toContain('Burn this')
}

/** Presses Tab until a link or button with this text has the focus, then Enter. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let pressed = 0; pressed < 150; pressed++) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement?.textContent?.trim()')) !== text) continue
    await page.keyboard.press('Enter')
    await settled(page)
    return
  }
  throw new Error(`Tab never reached ${text}`)
}

async function heading(page: Page): Promise<string | null> {
  return page.textContent('h1')
}

/** How far the page can be scrolled sideways. */
async function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** What axe finds against WCAG 2 A and AA. It runs beside the page, whose policy lets no script in. */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const { violations: found } = await page.evaluate<AxeResults>(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] })`,
  )
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

const ADA = '/v1/scopes/acme%2Fada'
/** A picture of 8 by 8 pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAJ0lEQVR42mNkwAT/GRgYGJmQBRgZGf8zMDAwMuHSwYRLBy4dTLh0AAAMcAQRwM3kGwAAAABJRU5ErkJggg=='

/** A support case with tool calls, a fold, facts that change and one that nobody trusts. */
async function fill({ send }: Served): Promise<void> {
  const session = `${ADA}/sessions/support-42`
  await send(`${session}/messages`, {
    description: 'You help customers of Acme. Refunds above €100 need a person.',
    messages: [
      { role: 'user', name: 'Ada', content: 'Hi, my order 7731 is late, again.' },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', id: 'call_1', name: 'find_order', arguments: '{"order":7731}' },
        ],
      },
      {
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'call_1', output: { type: 'json', value: { state: 'lost in Dijon' } } }],
      },
      { role: 'assistant', content: 'It was **lost** in Dijon.\n\n- we send a new one\n- with `DHL`' },
      { role: 'user', name: 'Ada', content: 'I am allergic to peanuts, no snack samples please. I live in Lisbon.' },
    ],
  })
  for (let turn = 0; turn < 20; turn += 1)
    await send(`${session}/messages`, {
      messages: [
        {
          role: 'user',
          name: 'Ada',
          content: `And invoice ${9_000 + turn}? I need it with VAT for the office, please.`,
        },
        { role: 'assistant', content: `Invoice ${9_000 + turn} has 23% VAT because the office is in Portugal.` },
      ],
    })
  await send(`${session}/compact`, { policy: 'rolling', force: true })
  await send(`${session}/messages`, { messages: { role: 'user', name: 'Ada', content: 'Which address did you use?' } })
  await send(`${session}/context`, { budget: 2_000, recall: true })
  await send(`${session}/state/order`, { value: { id: 7731, state: 'reshipped' } }, 'PUT')
  await send(`${session}/tasks`, { description: 'Send a new lamp' })
  await send(`${session}/notes`, { text: 'The new address is in Lisbon.', tags: ['address'] })
  await send(`${session}/fork`, { newId: 'support-42-refund', at: 6 })
  await send(`${ADA}/sessions/hidden/messages`, { messages: { role: 'user', content: 'a\u202Eb\u202Cc\u200Bd' } })
  await send(`${ADA}/facts`, {
    facts: { subject: 'Ada', predicate: 'lives_in', object: 'Lyon', validFrom: '2023-01-01' },
  })
  await send(`${ADA}/facts`, {
    facts: { subject: 'Ada', predicate: 'lives_in', object: 'Lisbon', validFrom: '2026-04-12' },
  })
  await send(`${ADA}/facts`, { facts: { subject: 'Ada', predicate: 'wants', object: 'phone calls' }, channel: 'tool' })
  await send(`${ADA}/facts`, { facts: { subject: 'A. Lovelace', predicate: 'likes', object: 'tea' } })
  await send(`${ADA}/proposals`, { suggestion: { merge: ['Ada', 'A. Lovelace'] }, reason: 'They look alike' })
  await send('/v1/settled', {})
}

/** A conversation that is folded as it grows. Returns what a provider received at each turn, as JSON. */
async function converse({ send }: Served, name: string, turns: number): Promise<readonly string[]> {
  const session = `${ADA}/sessions/${name}`
  const received: string[] = []
  for (let turn = 1; turn <= turns; turn += 1) {
    await send(`${session}/messages`, {
      messages: {
        role: 'user',
        name: 'Ada',
        content: `And invoice ${9_000 + turn}? ${'With VAT, please. '.repeat(8)}`,
      },
    })
    const { messages } = (await send(`${session}/context`, {
      budget: 1_500,
      system: `Be brief. Rule ${turn >> 6}.`,
    })) as {
      readonly messages: unknown
    }
    received.push(JSON.stringify(messages))
    await send(`${session}/messages`, {
      messages: {
        role: 'assistant',
        content: `Invoice ${9_000 + turn} has 23% VAT. ${'It is on its way. '.repeat(6)}`,
      },
    })
  }
  return received
}

/** Every payload in every field that the page shows. */
async function poison({ send }: Served): Promise<void> {
  const session = '/v1/scopes/evil/sessions/all'
  for (let at = 0; at < payloads.length; at += 50) {
    const some = payloads.slice(at, at + 50)
    await send(`${session}/messages`, {
      description: some[0],
      messages: some.flatMap((text, index) => [
        { role: 'user', name: text.slice(0, 60), content: text },
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text },
            { type: 'data', kind: 'structured', data: { [text]: text } },
            { type: 'tool-call', id: `call-${at + index}`, name: 'look', arguments: JSON.stringify({ text }) },
          ],
        },
        {
          role: 'tool',
          parts: [{ type: 'tool-result', callId: `call-${at + index}`, output: { type: 'text', text } }],
        },
      ]),
    })
    await send('/v1/scopes/evil/facts', {
      facts: some.map((text) => ({ subject: text, predicate: 'is', object: text })),
    })
    await send(`${session}/notes`, { text: some[1], tags: [some[2]?.replaceAll(/\p{C}/gu, '').slice(0, 40)] })
    await send(`${session}/tasks`, { description: some[3] })
    await send(`${session}/state/key-${at}`, { value: { [some[4] ?? '']: some[5] } }, 'PUT')
  }
  await send('/v1/scopes/evil/proposals', {
    suggestion: { merge: [payloads[0], payloads[5]] },
    reason: payloads[2],
  })
  await send('/v1/keys', { name: payloads[0]?.slice(0, 60), scope: 'evil', can: ['read'] }).catch(() => undefined)
  // A model's name has no control characters.
  const model = payloads[8]?.replaceAll(/\p{C}/gu, '').slice(0, 60)
  await send(`${session}/context`, { budget: 20_000, system: payloads.slice(0, 20).join('\n'), model })
  for (const id of payloads.slice(0, 40)) {
    const path = `/v1/scopes/evil/sessions/${encodeURIComponent(id.slice(0, 200).replaceAll('\n', ' '))}/messages`
    await send(path, { description: id, messages: { role: 'user', content: id } }).catch(() => undefined)
  }
}
