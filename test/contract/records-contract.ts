import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Records, StoredRecord } from '../../src/api/records.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import { ManualClock, type OpenSubject } from './subject.ts'

const MIB = 1024 * 1024

/** Records: documents by key, with versions, in order, in batches. */
export function testRecords(open: OpenSubject): void {
  describe('records', () => {
    testContents(open)
    testOrder(open)
    testBatches(open)
    testLargeContents(open)
    testElsewhere(open)
  })
}

function testContents(open: OpenSubject): void {
  it('[hosts-40] gives back JSON and bytes as they were put, each with its version and its size', async () => {
    await using memory = await open({ clock: new ManualClock() })
    const records = memory.scope('a').records('drafts')
    expect(await records.get('plan')).toBeUndefined()
    const json = { steps: [1, null, 'NUL \u0000 and half \ud800'], ['__proto__']: { x: 1 } }
    const info = { key: 'plan', version: 1, at: '2026-01-01T00:00:00.000Z', bytes: 67, kind: 'json' }
    expect(await records.put('plan', json)).toEqual(info)
    expect(await records.get('plan')).toEqual({ ...info, json })
    const data = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(await records.put('a/b: ☃', data)).toMatchObject({ version: 2, bytes: 256, kind: 'bytes' })
    expect((await records.get('a/b: ☃'))?.data).toEqual(data)
    expect(await records.put('nothing', null)).toMatchObject({ version: 3, bytes: 4 })
    expect(await records.get('nothing')).toMatchObject({ json: null })
    expect((await records.put('empty', new Uint8Array(0))).bytes).toBe(0)
    expect((await records.get('empty'))?.data).toEqual(new Uint8Array(0))
    // Another collection, another scope, and what a session keeps are apart.
    expect(await memory.scope('a').records('other').get('plan')).toBeUndefined()
    expect(await memory.scope('a/b').records('drafts').get('plan')).toBeUndefined()
    expect(await memory.scope('a').session('drafts').state.get('plan')).toBeUndefined()
    expect((await memory.scope('a').sessions()).sessions).toEqual([])
  })

  it('[hosts-41] writes only over the version that was expected', async () => {
    await using memory = await open()
    const records = memory.scope('a').records('drafts')
    const { version } = await records.put('k', 1, { expect: 0 })
    await expect(records.put('k', 2, { expect: 0 })).rejects.toMatchObject({
      code: 'records/conflict',
      details: { key: 'k', expect: 0, found: version },
    })
    await records.put('k', 2, { expect: version })
    await expect(records.delete('k', { expect: version })).rejects.toMatchObject({ code: 'records/conflict' })
    expect(await records.delete('k')).toBe(true)
    expect(await records.delete('k')).toBe(false)
    // A version is never used again, so a deleted record cannot be taken for the one that came after it.
    const again = await records.put('k', 3)
    expect(again.version).toBeGreaterThan(version + 1)
    const race = await Promise.allSettled(Array.from({ length: 8 }, (_, n) => records.put('r', n, { expect: 0 })))
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
}

function testOrder(open: OpenSubject): void {
  it('[hosts-42] lists by prefix, in both directions, page by page', async () => {
    await using memory = await open()
    const records = memory.scope('a').records('tree')
    const keys = ['a', 'a!', 'a/1', 'a/10', 'a/2', 'b', 'Ü', 'é', '\u{1F600}', '\uFFFD']
    await records.change(keys.map((key) => ({ put: key, content: { key } })))
    const sorted = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const listed = async (options: Parameters<Records['list']>[0]): Promise<readonly string[]> =>
      (await records.list(options)).map(({ key }) => key)
    expect(await listed({})).toEqual(sorted)
    expect(await listed({ order: 'descending' })).toEqual(sorted.toReversed())
    expect(await listed({ prefix: 'a/' })).toEqual(['a/1', 'a/10', 'a/2'])
    expect(await listed({ prefix: 'a/', order: 'descending', limit: 2 })).toEqual(['a/2', 'a/10'])
    expect(await listed({ prefix: 'a/', order: 'descending', after: 'a/10' })).toEqual(['a/1'])
    expect(await listed({ prefix: 'a/', after: 'a/1' })).toEqual(['a/10', 'a/2'])
    expect(await listed({ prefix: 'none' })).toEqual([])
    for (const order of ['ascending', 'descending'] as const) {
      const paged: string[] = []
      for (;;) {
        const last = paged.at(-1)
        const page = await listed({ order, limit: 3, ...(last === undefined ? {} : { after: last }) })
        paged.push(...page)
        if (page.length < 3) break
      }
      expect(paged).toEqual(order === 'ascending' ? sorted : sorted.toReversed())
    }
    expect((await records.list({ limit: 1 }))[0]).not.toHaveProperty('json')
    expect((await records.list({ limit: 1, contents: true }))[0]?.json).toEqual({ key: 'a' })
  })
}

function testBatches(open: OpenSubject): void {
  it('[hosts-43] changes all records of a batch or none', async () => {
    await using memory = await open()
    const records = memory.scope('a').records('batch')
    await records.put('old', 1)
    const batch = [
      { put: 'new', content: 2 },
      { delete: 'old' },
      { put: 'new', content: 3 },
      { put: 'stale', content: 4, expect: 7 },
    ] as const
    await expect(records.change(batch)).rejects.toMatchObject({ code: 'records/conflict' })
    expect((await records.list()).map(({ key }) => key)).toEqual(['old'])
    const written = await records.change(batch.slice(0, 3))
    expect(written).toMatchObject([{ key: 'new' }, null, { key: 'new' }])
    expect((await records.list({ contents: true })).map(({ key, json }) => [key, json])).toEqual([['new', 3]])
    expect(await records.change([])).toEqual([])
  })

  it('[hosts-43] does what a map does, whatever the sequence', async () => {
    await using memory = await open()
    const key = fc.constantFrom('a', 'a/b', 'b', 'ß')
    const step = fc.oneof(
      fc.record({ put: key, content: fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JSONValue> }),
      fc.record({ put: key, content: fc.uint8Array({ maxLength: 40 }) }),
      fc.record({ delete: key }),
    )
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 3 }), { maxLength: 6 }), async (batches) => {
        const records = memory.scope('a').records(`run-${(run += 1)}`)
        const model = new Map<string, unknown>()
        for (const batch of batches) {
          await records.change(batch)
          for (const one of batch)
            if ('put' in one) model.set(one.put, one.content)
            else model.delete(one.delete)
        }
        const listed = await records.list({ contents: true })
        expect(new Map(listed.map((record) => [record.key, contentOf(record)]))).toEqual(
          new Map([...model].map(([name, value]) => [name, asStored(value)])),
        )
      }),
      { numRuns: 8 },
    )
  })
}

function contentOf({ json, data }: StoredRecord): unknown {
  return data ?? json
}

/** -0 is 0 in JSON. */
function asStored(value: unknown): unknown {
  return value instanceof Uint8Array ? new Uint8Array(value) : (JSON.parse(JSON.stringify(value)) as unknown)
}

function testLargeContents(open: OpenSubject): void {
  it('[hosts-44] keeps large contents in parts, which are read and written piece by piece', async () => {
    await using memory = await open()
    const records = memory.scope('a').records('files')
    const data = randomBytes(MIB + 12_345)
    const { bytes } = await records.put('large', data)
    expect(bytes).toBe(data.length)
    expect(Buffer.compare((await records.get('large'))?.data ?? new Uint8Array(), data)).toBe(0)
    expect((await records.list({ contents: true }))[0]).not.toHaveProperty('data')
    // In pieces of odd sizes, over what is there.
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < data.length; at += 700_001) yield data.subarray(at, at + 700_001)
    }
    await records.put('large', pieces())
    const read: Uint8Array[] = []
    for await (const piece of records.stream('large')) read.push(piece)
    expect(read.map(({ length }) => length)).toEqual([MIB, 12_345])
    expect(Buffer.compare(Buffer.concat(read), data)).toBe(0)
    const text = 'é'.repeat(600_000)
    await records.put('json', { text })
    expect((await records.get('json'))?.json).toEqual({ text })
    // A small one in its place takes the parts away.
    await records.put('large', 'small')
    expect(await records.get('large')).toMatchObject({ json: 'small' })
    await expect(records.stream('none')[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'records/not-found',
    })
    const bad: readonly (() => unknown)[] = [
      () => records.put('', 1),
      () => records.put('k', undefined as never),
      () => records.put('a\u0001b', 1),
      () => records.change([{ put: 'k' } as never]),
      () => records.change([{} as never]),
      () => records.list({ limit: 0 }),
    ]
    for (const call of bad) await expect((async () => call())()).rejects.toMatchObject({ code: 'input/invalid' })
  })
}

function testElsewhere(open: OpenSubject): void {
  it('[hosts-45] goes into an archive, is verified, and is forgotten as a whole', async () => {
    await using memory = await open({ learn: false })
    const records = memory.scope('a').records('drafts')
    await records.put('plan', { secret: 'CANARY' })
    await records.put('file', new Uint8Array(MIB + 1).fill(7))
    const pieces: string[] = []
    for await (const piece of memory.scope('a').export()) pieces.push(piece)
    await using copy = await open({ learn: false })
    await copy.import(pieces)
    const there = copy.scope('a').records('drafts')
    expect((await there.get('plan'))?.json).toEqual({ secret: 'CANARY' })
    expect((await there.get('file'))?.bytes).toBe(MIB + 1)
    expect((await there.get('file'))?.data?.every((byte) => byte === 7)).toBe(true)
    const receipt = await copy.scope('a').forget({ records: 'drafts' })
    expect(receipt).toMatchObject({ sessions: [], state: 5 })
    expect(await there.list()).toEqual([])
    await expect(copy.scope('a').forget({ records: 'drafts' })).rejects.toMatchObject({ code: 'records/not-found' })
    expect((await records.get('plan'))?.json).toEqual({ secret: 'CANARY' })
    expect((await memory.scope('a').recall('CANARY')).items).toEqual([])
    expect((await memory.verify()).ok).toBe(true)
  })
}
