import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { Folder } from './harness/folder.ts'

it('[walls-218] a program that waits for settled() does not end before it resolves', async () => {
  using folder = new Folder()
  const child = fileURLToPath(new URL('children/settler.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [child, folder.file('log.db')])
  expect(stdout).toBe('settled\n')
})
