import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { chromiumPath, openBrowser } from './inspector/harness.ts'
import { scriptedProvider } from './scripted-provider.ts'

interface Chat extends AsyncDisposable {
  readonly address: string
}

async function startChat(memory: string, env: Readonly<Record<string, string>>): Promise<Chat> {
  const child = spawn(process.execPath, [join(ROOT, 'examples/browser-chat/server.ts')], {
    env: { ...process.env, DAYBOOK_MEMORY: memory, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    address: line.toString().trim(),
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await once(child, 'exit')
    },
  }
}

it.skipIf(chromiumPath === undefined)(
  '[words-23] the chat in a browser goes on after a reload and a restart',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daybook-chat-'))
    const memory = join(folder, 'chat.db')
    await using provider = await scriptedProvider(['Lisbon is lovely.'])
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      const say = async (text: string): Promise<void> => {
        await page.getByLabel('Your message').fill(text)
        await page.getByRole('button', { name: 'Send' }).click()
      }
      {
        await using chat = await startChat(memory, { DAYBOOK_BASE_URL: '' })
        await page.goto(chat.address)
        await say('I live in <b>Lisbon</b>.')
        await page.getByText('You said 1 things. The first was: I live in <b>Lisbon</b>.').waitFor()
        await page.reload()
        await page.getByText('You said 1 things.').waitFor()
      }
      await using chat = await startChat(memory, { DAYBOOK_BASE_URL: provider.address, DAYBOOK_MODEL: 'scripted' })
      await page.goto(chat.address)
      await say('Where do I live?')
      await page.getByText('Lisbon is lovely.').waitFor()
      expect(await page.locator('main p').allTextContents()).toHaveLength(4)
      expect(JSON.stringify(provider.requests[0])).toContain('I live in <b>Lisbon</b>.')
    } finally {
      await browser.close()
      rmSync(folder, { recursive: true })
    }
  },
)
