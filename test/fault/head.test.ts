import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { daybook } from '../cli/harness.ts'
import { Folder } from './harness/folder.ts'

it('[walls-211] a write-ahead log that was removed is found with a statement, and only with one', async () => {
  using folder = new Folder()
  const [live, file] = [folder.file('live.db'), folder.file('agent.db')]
  const memory = await openMemory(live, { learn: false })
  const chat = memory.scope('acme/ada').session('s')
  await chat.append({ role: 'user', content: 'in the file' })
  await chat.state.set('mood', 'calm')
  await memory.close()
  const again = await openMemory(live, { learn: false })
  await again.scope('acme/ada').session('s').append({ role: 'user', content: 'in the log' })
  await again.scope('acme/ada').session('s').state.set('mood', 'glad')
  // As a killed process leaves them.
  for (const part of ['', '-wal']) copyFileSync(`${live}${part}`, `${file}${part}`)
  await again.close()
  const stated = await daybook(['head', '--memory', file, '--read-only'])
  writeFileSync(folder.file('head.json'), stated.stdout)
  expect(JSON.parse(stated.stdout)).toMatchObject({ sessions: [{ seq: 2 }], signature: 'unsigned' })
  rmSync(`${file}-wal`)
  expect(await daybook(['verify', '--memory', file])).toMatchObject({ status: 0 })
  const found = await daybook(['verify', '--memory', file, '--head', folder.file('head.json')])
  expect(found.status).toBe(5)
  expect(found.stdout).toContain('acme/ada s: The session ends at version 1, but earlier it ended at 2')
  expect(found.stdout).toContain('acme/ada s: The state ends at version 1, but earlier it ended at 2')
  expect(found.stdout).toContain('(unsigned)')
})

it('[walls-212] a statement is signed on request, and a changed or unsigned one is refused', async () => {
  using folder = new Folder()
  const file = folder.file('agent.db')
  await daybook(['append', '--create', '--memory', file, '--scope', 'a', '--session', 's', 'Hello'])
  const keys = ['own', 'other'].map((name) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519', {
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    writeFileSync(folder.file(`${name}.pem`), privateKey)
    writeFileSync(folder.file(`${name}.pub`), publicKey)
    return folder.file(name)
  })
  const [own = '', other = ''] = keys
  const head = folder.file('head.json')
  writeFileSync(head, (await daybook(['head', '--memory', file, '--sign-key', `${own}.pem`])).stdout)
  const verify = (...words: readonly string[]): ReturnType<typeof daybook> =>
    daybook(['verify', '--memory', file, '--head', head, ...words])
  expect(await verify()).toMatchObject({ status: 0, stdout: expect.stringContaining('signed by ') as string })
  expect(await verify('--sign-key', `${own}.pub`)).toMatchObject({ status: 0 })
  expect(await verify('--sign-key', `${own}.pem`)).toMatchObject({ status: 0 })
  expect(await verify('--sign-key', `${other}.pub`)).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('another key') as string,
  })
  const signed = readFileSync(head, 'utf8')
  writeFileSync(head, signed.replace('"seq": 1', '"seq": 0'))
  expect(await verify()).toMatchObject({ status: 5, stderr: expect.stringContaining('changed after') as string })
  writeFileSync(head, (await daybook(['head', '--memory', file])).stdout)
  expect(await verify('--sign-key', `${own}.pub`)).toMatchObject({
    status: 5,
    stderr: expect.stringContaining('not signed') as string,
  })
  writeFileSync(head, 'no statement')
  expect(await verify()).toMatchObject({ status: 2 })
})
