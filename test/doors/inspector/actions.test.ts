import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildInspector } from '../../../scripts/build-inspector.ts'
import { ROOT } from '../../../scripts/run.ts'
import { type Reader, type Served, chromiumPath, openBrowser, openReader, serveMemory } from './harness.ts'

const ADA = '/v1/scopes/sample%2Fada'
const CASE = `${ADA}/sessions/support-42`
const MAIN = join(ROOT, 'src/cli/main.ts')
const IN_CASE = '/session?scope=sample/ada&id=support-42'

describe.skipIf(chromiumPath === undefined)('in the sample of the inspector somebody', () => {
  let browser: Browser
  let served: Served
  let reader: Reader
  const folder = mkdtempSync(join(tmpdir(), 'daybook-actions-'))

  beforeAll(async () => {
    await buildInspector()
    const command = [process.execPath, MAIN]
    served = await serveMemory(ROOT, command, join(folder, 'sample.db'))
    browser = await openBrowser()
    reader = await openReader(browser, served)
    await reader.page.click('text=Load the sample')
    // The last words of the sample.
    await reader.page.waitForSelector('.session-row:has-text("You prefer a window seat")')
  })
  afterAll(async () => {
    await reader?.[Symbol.asyncDispose]()
    await browser?.close()
    await served?.stop()
    rmSync(folder, { recursive: true })
  })

  it('[inspector-27] edits a value, sees what somebody else stored meanwhile, and goes back to an earlier version', async () => {
    const { page } = reader
    await reader.open(`${IN_CASE}&tab=state`)
    await page.click('[aria-label="Edit: Value of order as JSON"]')
    await page.fill('[aria-label="Value of order as JSON"]', '{')
    await page.waitForSelector('text=This is not JSON yet.')
    await page.fill('[aria-label="Value of order as JSON"]', '{"state":"mine"}')
    await served.send(`${CASE}/state/order`, { value: { state: 'theirs' } }, 'PUT')
    await page.click('.edit-form >> text=Save')
    await page.waitForSelector('.conflict:has-text("Stored now"):has-text("theirs"):has-text("mine")')
    expect(await served.read(`${CASE}/state/order`)).toMatchObject({ value: { state: 'theirs' } })
    await reader.picture('state-conflict')
    await page.click('text=Save mine over it')
    await page.waitForSelector('.line:has-text("order"):has-text("mine")')
    await page.click('.line:has-text("order") >> text=Versions')
    await page.click('.versions li:has-text("reshipped") >> text=Restore')
    await page.waitForSelector('.versions li:has-text("reshipped"):has-text("now")')
    expect(await served.read(`${CASE}/state/order`)).toMatchObject({ value: { state: 'reshipped' } })
    expect(reader.faults.filter((fault) => !fault.includes('409'))).toEqual([])
  })

  it('[inspector-27] edits a note and a task, and overwrites neither when somebody else changed it', async () => {
    const { page } = reader
    const { notes } = await served.read<{ readonly notes: readonly { readonly id: string }[] }>(`${CASE}/notes`)
    const { tasks } = await served.read<{ readonly tasks: readonly { readonly id: string }[] }>(`${CASE}/tasks`)
    await reader.open(`${IN_CASE}&tab=state`)
    await page.click('[aria-label^="Edit: Note The new address"]')
    await page.fill('[aria-label^="Note The new address"]', 'Ask for the address.')
    await served.send(`${CASE}/notes/${notes[0]?.id}`, { text: 'The address is in Porto.' }, 'PATCH')
    await page.click('.edit-form >> text=Save')
    await page.waitForSelector('.conflict:has-text("in Porto"):has-text("Ask for the address")')
    await page.click('text=Keep the stored one')
    await page.waitForSelector('.line:has-text("The address is in Porto.")')
    await page.click('.line:has-text("in Porto") >> text=Mark as done')
    await page.waitForSelector('.line:has-text("in Porto"):has-text("✓ done")')

    await page.click('[aria-label^="Edit: Task Ask a person"]')
    await page.fill('[aria-label^="Task Ask a person"]', 'Ask two people')
    await served.send(`${CASE}/tasks/${tasks[0]?.id}`, { progress: 0.5 }, 'PATCH')
    await page.click('.edit-form >> text=Save')
    await page.waitForSelector('.conflict:has-text("Ask a person"):has-text("Ask two people")')
    await page.click('text=Save mine over it')
    await page.waitForSelector('.line:has-text("Ask two people"):has-text("50 of 100")')
    await page.click('.line:has-text("Ask two people") >> text=Mark as done')
    await page.waitForSelector('.line:has-text("Ask two people"):has-text("✓ done")')
    expect(await served.read(`${CASE}/tasks`)).toMatchObject({
      tasks: [{ id: tasks[0]?.id, description: 'Ask two people', status: 'Completed' }],
    })
  })

  it('[inspector-16] types prices, and sees the cost change in the figures, in the line of the turn and in the table of policies', async () => {
    const { page } = reader
    await reader.open(`${IN_CASE}&tab=tokens`)
    const figure = (name: string): Promise<string | null> => page.textContent(`.figures div:has-text("${name}") dd`)
    const tokens = Number((await figure('Input tokens'))?.replaceAll(',', ''))
    const equal = Number((await figure('Equal to the turn before'))?.replaceAll(',', ''))
    await page.fill('label:has-text("Price of a million tokens") input', '1000')
    await page.fill('label:has-text("of a million cached tokens") input', '100')
    expect(await figure('Cost at your prices')).toBe((((tokens - equal) * 1_000 + equal * 100) / 1e6).toFixed(2))
    expect(await figure('Without a cache')).toBe(((tokens * 1_000) / 1e6).toFixed(2))
    for (const label of ['budget 1,600', 'folds at 1,280', 'down to 800'])
      expect(await page.textContent('.chart-margin')).toContain(label)
    expect(await page.locator('.t-tick').getAttribute('d')).toMatch(/^M.*M/)
    const before = await page.textContent('.readout')
    await page.focus('.chart-track input')
    await page.keyboard.press('ArrowLeft')
    expect(await page.textContent('.readout')).not.toBe(before)
    await page.click('text=Compare policies')
    await page.waitForSelector('[aria-label="Policies compared"] tr:has-text("rolling")')
    expect(await page.locator('[aria-label="Policies compared"] tbody tr').count()).toBe(5)
    await reader.picture('tokens-priced')
  })

  it('[inspector-28] finds what waits in quarantine beside what is believed, and rejects and endorses it', async () => {
    const { page } = reader
    await reader.open('/knowledge?scope=sample/ada')
    await page.click('.tabs a:has-text("Quarantine")')
    await page.waitForSelector('.tabs a:has-text("Quarantine"):has-text("2")')
    const phone = page.locator('.waiting:has-text("Ada wants offers by phone")')
    await phone.locator('text=Believed instead: Ada wants offers by e-mail').waitFor()
    await phone.locator('button:text-is("Reject")').click()
    await phone.waitFor({ state: 'detached' })
    await page.click('.waiting:has-text("Acme gives away lamps") >> button:text-is("Endorse")')
    await page.waitForSelector('text=Nothing waits for you.')
    await reader.open('/knowledge?scope=sample/ada')
    await page.waitForSelector('tr:has-text("Acme gives away lamps"):has-text("current")')
    await page.waitForSelector('tr:has-text("Ada wants offers by phone"):has-text("retracted")')
    expect(reader.faults.filter((fault) => !fault.includes('409'))).toEqual([])
  })

  it('[inspector-29] tries another budget and policy beside the usual ones, and stores nothing', async () => {
    const { page } = reader
    const { compactions } = await served.read<{ readonly compactions: readonly object[] }>(`${CASE}/compactions`)
    const { contexts } = await served.read<{ readonly contexts: readonly object[] }>(`${CASE}/contexts`)
    await reader.open(IN_CASE)
    await page.waitForSelector('.account:has-text("The next request, not sent")')
    // The next request is built as the program built the last one.
    expect(await page.inputValue('label:has-text("Budget in tokens") input')).toBe('1600')
    await page.fill('label:has-text("Budget in tokens") input', '500')
    await page.keyboard.press('Tab')
    await page.selectOption('label:has-text("Policy") select', 'recency')
    await page.waitForSelector('.tried:has-text("Dry run, nothing is stored")')
    const [usual, tried] = await page.$$eval('.tried .total td.num', (cells) =>
      cells.map((cell) => Number(cell.textContent?.replaceAll(',', ''))),
    )
    expect(tried).toBeLessThanOrEqual(500)
    expect(usual).toBeGreaterThan(500)
    await reader.picture('try-policy')
    await page.click('text=Back to the usual')
    await page.waitForSelector('.tried', { state: 'detached' })
    expect(await page.inputValue('label:has-text("Budget in tokens") input')).toBe('1600')
    expect((await served.read<{ readonly compactions: readonly object[] }>(`${CASE}/compactions`)).compactions).toEqual(
      compactions,
    )
    expect((await served.read<{ readonly contexts: readonly object[] }>(`${CASE}/contexts`)).contexts).toEqual(contexts)
  })

  it('[inspector-29] copies the next request as any dialect, and as a command that gives the same messages', async () => {
    const { page } = reader
    await reader.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: served.url })
    await reader.open(IN_CASE)
    const copied = async (form: string): Promise<string> => {
      await page.selectOption('[aria-label="Copy as"]', form)
      await page.click('button:text-is("Copy")')
      await page.waitForSelector('text=Copied.')
      return page.evaluate<string>('navigator.clipboard.readText()')
    }
    const recall = await page.isChecked('label:has-text("With what is remembered elsewhere") input')
    expect(recall).toBe(true)
    const dialects = ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk', 'ai-sdk-ui', 'langchain'] as const
    for (const dialect of dialects) {
      const options = { budget: 1_600, policy: 'balanced', recall, compact: false, dialect }
      const answer = (await served.send(`${CASE}/context`, options)) as Readonly<Record<string, unknown>>
      expect(JSON.parse(await copied(dialect)), dialect).toEqual(answer[dialect])
    }
    const command = await copied('curl')
    const [, address = '', body = ''] = /^curl -s '([^']+)' .* -d '([^']+)'$/.exec(command) ?? []
    expect(address).toBe(`${served.url}${CASE}/context`)
    const { messages } = (await served.send(`${CASE}/context`, JSON.parse(body) as object)) as {
      readonly messages: readonly object[]
    }
    expect(messages.length).toBeGreaterThan(5)
  })

  it('[inspector-15] moves the slider, and sees what is new against the request before and what was recalled and why', async () => {
    const { page } = reader
    await reader.open(IN_CASE)
    await page.keyboard.press('ArrowLeft')
    await page.waitForSelector('.slider h2:has-text("Turn 10 of 10")')
    await page.waitForSelector('.seal:has-text("Exactly what was sent")')
    await page.waitForSelector('.difference:has-text("Against the request before: +")')
    // Only what is in view is drawn.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.waitForSelector('article.is-new:has-text("which seat do I prefer")')
    await page.waitForSelector('article[aria-label="Remembered from elsewhere"]:has-text("window seat")')
    // The seal stays in sight, below the slider.
    const [seal, slider] = await Promise.all(['.seal', '.slider'].map((each) => page.locator(each).boundingBox()))
    expect(seal?.y).toBeGreaterThanOrEqual((slider?.y ?? 0) + (slider?.height ?? 0))
    await page.evaluate('scrollTo(0, 0)')
    await page.keyboard.press('[')
    await page.waitForSelector('.slider h2:has-text("Turn 8 of 10")')
  })

  it('[inspector-7] unfolds what a compaction took out of the window, and undoes it from the list of compactions', async () => {
    const { page } = reader
    await reader.open(IN_CASE)
    await page.click('.fold-card >> text=Open')
    await page.waitForSelector('article[aria-label^="2, Ada"]:has-text("Hi, my order 7731 is late")')
    expect(await page.textContent('article[aria-label^="2, Ada"] .rail')).toContain('not sent')
    await reader.open(`${IN_CASE}&tab=compactions`)
    await page.waitForSelector('text=The newest one folded messages up to')
    await page.click('tr:has-text("rolling") >> text=Undo')
    await page.waitForSelector('tr:has-text("rolling"):has-text("undone")')
    expect(await served.read(`${CASE}/compactions`)).toMatchObject({ compactions: [{ undone: true }, {}] })
  })

  it('[inspector-7] sees all that a message taught, and takes it all back', async () => {
    const { page } = reader
    await reader.open(`${IN_CASE}&seq=10`)
    await page.click('[aria-label="Actions for message 10"]')
    await page.click('text=What it taught')
    await page.waitForSelector('text=What one message taught.')
    await page.waitForSelector('.fact:has-text("Ada allergic to peanuts")')
    await page.click('text=Take back all its message taught')
    await page.waitForSelector('text=This message teaches nothing.')
    await page.click('text=Show everything')
    await page.waitForSelector('tr:has-text("Ada allergic to peanuts"):has-text("retracted")')
  })

  it('[inspector-25] asks, turns a knob, and saves a hit that daybook bench recall reads', async () => {
    const { page } = reader
    await reader.open('/recall?scope=sample/ada&q=Where+does+Ada+live%3F')
    await page.waitForSelector('.hit:has-text("Lisbon")')
    await page.uncheck('label:has-text("messages") input')
    await page.uncheck('label:has-text("folds") input')
    await page.waitForSelector('.hit:has-text("message")', { state: 'detached' })
    await page.click('.hit:has-text("Ada lives in Lisbon") >> text=Save as expectation')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('[aria-label=Expectations] button'),
    ])
    const saved = join(folder, 'expectations.jsonl')
    await download.saveAs(saved)
    const memory = ['--memory', join(folder, 'sample.db')]
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, 'bench', 'recall', saved, ...memory])
    expect(stdout).toMatch(/1 of 1/)
  })

  it('[inspector-1] sees which scopes below have conversations where a scope has none', async () => {
    const { page } = reader
    await reader.open('/sessions?scope=sample')
    await page.click('.below a:has-text("sample/ada")')
    await page.waitForSelector('.session-row:has-text("support-42")')
  })

  it('[inspector-15] sees on a phone above the conversation whether it is what was sent, and opens the rest of the account', async () => {
    await using phone = await openReader(browser, served, { width: 360 })
    await phone.open(IN_CASE)
    await phone.page.keyboard.press('ArrowLeft')
    await phone.page.waitForSelector('.seal:has-text("Exactly what was sent")')
    const top = async (selector: string): Promise<number> =>
      (await phone.page.locator(selector).first().boundingBox())?.y ?? -1
    expect(await top('.seal')).toBeLessThan(await top('article'))
    expect(await phone.page.isVisible('text=Receipt')).toBe(false)
    await phone.page.click('text=Show the account')
    expect(await phone.page.isVisible('text=Receipt')).toBe(true)
    expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await phone.picture('account')
  })
})
