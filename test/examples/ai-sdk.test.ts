import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const EXAMPLE = join(import.meta.dirname, '../../examples/ai-sdk.ts')
const folder = mkdtempSync(join(tmpdir(), 'daybook-example-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('[hosts-8] [hosts-58] the example of an AI SDK agent remembers from one process to the next', async () => {
  const env = { ...process.env, DAYBOOK_MEMORY: join(folder, 'agent.db'), OPENAI_API_KEY: '' }
  const run = async (...words: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [EXAMPLE, ...words], { env })).stdout
  expect(await run('My name is Ada.')).toContain('I see 1 messages')
  expect(await run('What is my name?')).toMatch(/I see [3-9] messages. The first is .*My name is Ada/)
  // Another conversation starts empty and recalls what the first one said. Recall has a deadline, which a busy machine may miss.
  let recalled = ''
  for (let attempt = 1; attempt <= 8 && !recalled.includes('I remember: "'); attempt++)
    recalled = await run('What is my name?', `another-${attempt}`)
  expect(recalled).toMatch(/I see 1 messages\. .*I remember: .*"My name is Ada\."/)
}, 120_000)
