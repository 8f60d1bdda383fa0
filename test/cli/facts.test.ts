import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { daybook, folder } from './harness.ts'

it('[learn-8] says how to learn from messages that a short program left behind, until that is done', async () => {
  const file = join(folder(), 'agent.db')
  const at = ['--memory', file, '--scope', 'acme/ada']
  const facts = async (): Promise<string> => (await daybook(['facts', ...at])).stdout
  const append = async (content: string): Promise<void> => {
    // Closed before learning begins, without a job that waits.
    const memory = await openMemory(file, { learn: false })
    await memory.scope('acme/ada').session('s').append({ role: 'user', content })
    await memory.close()
  }
  const hint = `No facts yet. To learn from new messages now: daybook jobs settle --memory ${file} --scope acme/ada\n`

  await append('Good morning.')
  expect(await facts()).toBe(hint)
  expect((await daybook(['facts', '--memory', file, '--scope', 'acme/bob'])).stdout).toBe('No facts.\n')

  await daybook(['jobs', 'settle', ...at])
  expect(await facts()).toBe('No facts.\n')

  await append('I live in Lisbon.')
  expect(await facts()).toBe(hint)
  await daybook(['jobs', 'settle', ...at])
  expect(await facts()).toContain('Lisbon')
})
