import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { daybook, folder } from './harness.ts'

const place = folder()

describe('[contexts-50] daybook blocks', () => {
  it('sets, lists, edits, undoes and deletes', async () => {
    const file = join(place, 'blocks.db')
    await (await openMemory(file)).close()
    const at = ['--memory', file, '--scope', 'acme/ada']
    const run = async (...words: readonly string[]): Promise<string> => {
      const { status, stdout, stderr } = await daybook(['blocks', ...at, ...words])
      expect({ status, stderr }, words.join(' ')).toEqual({ status: 0, stderr: '' })
      return stdout
    }
    expect(await run()).toBe('No blocks.\n')
    const first = await run('user', 'Ada lives in Paris.', '--limit', '500', '--description', 'The user.')
    expect(first).toMatch(/^user \(\d+ of 500 tokens, version 1, acme\/ada\)\nThe user\.\nAda lives in Paris\.\n$/)
    expect(await run('user', '--replace', 'Paris', '--with', 'Rome')).toContain('Ada lives in Rome.')
    await run('task', 'Find it', '--session', 's1')
    expect(await run('--session', 's1')).toMatch(/^user \(.*\ntask \([^)]*session s1\)\nFind it\n$/s)
    expect(await run('user', '--history', '--limit', '1')).toMatch(/^version 2 {2}.*"Ada lives in Rome\."\n$/)
    expect(await run('user', '--undo')).toContain('Paris')
    expect(JSON.parse(await run('user', '--json'))).toMatchObject({ name: 'user', version: 3, limit: 500 })
    expect(await run('user', '--delete')).toBe('Deleted.\n')
    expect(await daybook(['blocks', ...at, 'user'])).toMatchObject({ status: 3, stdout: 'No such block.\n' })
    expect(await daybook(['blocks', ...at, 'user', '--undo', '--delete'])).toMatchObject({ status: 2 })
    expect(await daybook(['blocks', ...at, '--undo'])).toMatchObject({ status: 2 })
    const { status, stdout } = await daybook(['forget', ...at, '--block', 'user', '--yes'])
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('4 versions of blocks') })
  })
})
