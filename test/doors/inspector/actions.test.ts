import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildInspector } from '../../../scripts/build-inspector.ts'
import { ROOT } from '../../../scripts/run.ts'
import { type Reader, type Served, chromiumPath, openBrowser, openReader, serveMemory } from './harness.ts'

const ADA = '/v1/scopes/sample%2Fada'
const CASE = `${ADA}/sessions/support-42`
const IN_CASE = '/session?scope=sample/ada&id=support-42'

describe.skipIf(chromiumPath === undefined)('in the sample of the inspector somebody', () => {
  let browser: Browser
  let served: Served
  let reader: Reader
  const folder = mkdtempSync(join(tmpdir(), 'daybook-actions-'))

  beforeAll(async () => {
    await buildInspector()
    const command = [process.execPath, join(ROOT, 'src/cli/main.ts')]
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
})
