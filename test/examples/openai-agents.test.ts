import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('[hosts-13] the example of a session of the OpenAI Agents SDK runs', async () => {
  const example = join(import.meta.dirname, '../../examples/openai-agents.ts')
  const env = { ...process.env, DAYBOOK_MEMORY: ':memory:' }
  const { stdout } = await promisify(execFile)(process.execPath, [example], { env })
  expect(stdout).toContain('3 items for the next run')
  expect(stdout).toContain('in Lisbon')
})
