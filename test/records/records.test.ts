import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'

const MIB = 1024 * 1024

it('[hosts-44] refuses JSON over 4 MiB and bytes over 64 MiB, and keeps what was there', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const records = memory.scope('a').records('large')
  await records.put('k', 'small')
  await expect(records.put('k', 'x'.repeat(4 * MIB))).rejects.toMatchObject({ code: 'input/too-large' })
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new Uint8Array(8 * MIB)
  }
  await expect(records.put('k', endless())).rejects.toMatchObject({ code: 'input/too-large' })
  expect(await records.get('k')).toMatchObject({ json: 'small' })
})

it('[hosts-44] reports a record that was changed while it was read', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const records = memory.scope('a').records('large')
  await records.put('k', new Uint8Array(2 * MIB))
  const pieces = records.stream('k')[Symbol.asyncIterator]()
  await pieces.next()
  await records.put('k', new Uint8Array(2 * MIB).fill(1))
  await expect(pieces.next()).rejects.toMatchObject({ code: 'records/conflict' })
})

it('[hosts-44] accepts no upload that was not uploaded', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const { recordCalls } = memory.scope('a')
  await recordCalls.upload('c', 'k', { upload: 'u', part: 0, base64: 'AAAA' })
  for (const upload of [
    { id: 'other', parts: 1, bytes: 3, kind: 'bytes' },
    { id: 'u', parts: 1, bytes: 4, kind: 'bytes' },
    { id: 'u', parts: 2, bytes: 3, kind: 'bytes' },
  ] as const)
    await expect(recordCalls.change('c', [{ key: 'k', upload }])).rejects.toMatchObject({ code: 'input/invalid' })
  await expect(recordCalls.upload('c', 'k', { upload: 'u', part: 0, base64: 'A' })).rejects.toMatchObject({
    code: 'input/invalid',
  })
  await recordCalls.change('c', [{ key: 'k', upload: { id: 'u', parts: 1, bytes: 3, kind: 'bytes' } }])
  expect((await memory.scope('a').records('c').get('k'))?.data).toEqual(new Uint8Array(3))
})
