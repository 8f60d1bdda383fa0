import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import { checkArchive } from '../../src/archive/read-records.ts'
import { ChainWriter } from '../../src/archive/hash-chain.ts'
import type { Memory } from '../../src/api/memory.ts'
import { fill, fresh, textOf } from './scene.ts'

let archive: Buffer
let lines: readonly string[]
beforeAll(async () => {
  await using memory = await fresh()
  await fill(memory)
  archive = Buffer.from(await textOf(memory.export()))
  lines = archive.toString().split('\n').slice(0, -1)
})

async function refusal(work: Promise<unknown>): Promise<MemoryError> {
  try {
    await work
  } catch (error) {
    if (MemoryError.is(error)) return error
    throw error
  }
  throw new Error('it was not refused')
}

/** The line of a byte, from 1. */
function lineAt(at: number): number {
  let line = 1
  for (let index = archive.indexOf(10); index >= 0 && index < at; index = archive.indexOf(10, index + 1)) line += 1
  return line
}

describe('[arc-2] a torn or changed archive is refused with the place named', () => {
  it('cut at any byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: archive.length - 1 }), async (length) => {
        const error = await refusal(checkArchive([archive.subarray(0, length)]))
        const whole = archive.subarray(0, length).toString('latin1').split('\n').length - 1
        expect(error).toMatchObject({ code: 'archive/damaged', details: { line: whole + 1 } })
      }),
    )
  })

  it('with any byte changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: archive.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const changed = Buffer.from(archive)
        changed[at] = (changed[at] ?? 0) ^ bits
        const error = await refusal(checkArchive([changed]))
        expect(error).toMatchObject({ code: 'archive/damaged', details: { line: lineAt(at) } })
      }),
    )
  })

  it('with a line left out, doubled or moved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: lines.length - 1 }),
        fc.constantFrom('leave out', 'double', 'move'),
        async (at, how) => {
          const line = lines[at] ?? ''
          const rest = lines.toSpliced(at, 1)
          const changed =
            how === 'leave out'
              ? rest
              : how === 'double'
                ? lines.toSpliced(at, 0, line)
                : rest.toSpliced(at === 0 ? lines.length - 1 : at - 1, 0, line)
          const error = await refusal(checkArchive([`${changed.join('\n')}\n`]))
          expect(error.code).toBe('archive/damaged')
          expect(error.details['line']).toBeGreaterThanOrEqual(Math.max(1, at))
          expect(error.details['line']).toBeLessThanOrEqual(at + 2)
        },
      ),
    )
  })

  it('before anything of the changed record is stored: what is there is what came before, and it verifies', async () => {
    for (let at = 2; at < lines.length; at += 9) {
      await using memory = await fresh()
      const line = lines[at] ?? ''
      const changed = `${[...lines.slice(0, at), line.replace(/.(?=.{9}$)/s, (c) => (c === 'x' ? 'y' : 'x')), ...lines.slice(at + 1)].join('\n')}\n`
      const error = await refusal(memory.import([changed]))
      expect(error).toMatchObject({ code: 'archive/damaged', details: { line: at + 1 } })
      expect((await memory.verify()).ok).toBe(true)
      const stored = (await textOf(memory.export())).split('\n').map(contentOf)
      const before = new Set(lines.slice(0, at).map(contentOf))
      expect(stored.slice(1, -2).filter((content) => !before.has(content))).toEqual([])
    }
  })

  it('goes on from there with the whole archive', async () => {
    for (let at = 1; at < lines.length; at += 13) {
      await using memory = await fresh()
      await refusal(memory.import([`${lines.slice(0, at).join('\n')}\n`]))
      await memory.import([archive])
      expect(Buffer.from(await textOf(memory.export())).equals(archive)).toBe(true)
    }
  })

  it.each([
    ['nothing at all', ''],
    ['another file', '{"role":"user"}\n'],
    ['a binary', Buffer.from([0, 1, 2, 255, 10, 0])],
    ['no line end', 'x'.repeat(100_000)],
  ])('%s', async (_, source) => {
    expect(await refusal(checkArchive([source]))).toMatchObject({ code: 'archive/damaged', details: { line: 1 } })
  })
})

/** Rows of the real archive, changed by somebody who can compute hashes. */
async function forged(change: (record: Record<string, unknown>) => object | undefined): Promise<string> {
  const sealer = new ChainWriter()
  let text = ''
  for (const line of lines.slice(0, -1)) {
    const { hash: _, ...record } = JSON.parse(line) as Record<string, unknown>
    const changed = change(record)
    if (changed !== undefined) text += sealer.line(changed)
  }
  return text + sealer.end()
}

describe('[arc-2] an archive that somebody forged, hashes and all', () => {
  it.each([
    ['another body', 'message', { body: '{"parts":[{"type":"text","text":"I owe you a million"}]}' }],
    ['another time', 'message', { recordedAt: 5 }],
    ['another description', 'session', { description: 'obey' }],
    ['an unknown role', 'message', { role: 'root' }],
    ['no JSON', 'message', { body: '{' }],
    ['a number for text', 'message', { id: 7 }],
    ['a half origin', 'session', { parentName: 'nobody' }],
    ['an unknown amendment', 'amendment', { kind: 'destroy' }],
    ['another picture', 'blob', { bytes: 'AAAA' }],
    ['bad base64', 'blob', { bytes: '*' }],
    ['a scope that climbs', 'blob', { scope: 'acme/../zeta' }],
    ['a wrong root', 'knowledge-version', { root: 'zeta' }],
    ['an extra field', 'fact', { extra: 1 }],
  ])('%s', async (_, kind, values) => {
    let done = false
    const text = await forged((record) => {
      if (record['kind'] !== kind || done) return record
      done = true
      return { ...record, row: { ...(record['row'] as object), ...values } }
    })
    expect(done).toBe(true)
    await using memory = await fresh()
    expect((await refusal(memory.import([text]))).code).toBe('archive/damaged')
    expect((await memory.verify()).ok).toBe(true)
  })

  it('a message that is not there', async () => {
    let seen = 0
    const text = await forged((record) => (record['kind'] === 'message' && ++seen === 2 ? undefined : record))
    await using memory = await fresh()
    expect((await refusal(memory.import([text]))).message).toContain('follows')
  })

  it('a record of a kind to come', async () => {
    const text = await forged((record) => (record['kind'] === 'blob' ? { ...record, kind: 'dream' } : record))
    await using memory = await fresh()
    expect((await refusal(memory.import([text]))).message).toContain('cannot read')
  })

  it('a format to come', async () => {
    const text = await forged((record) => (record['kind'] === 'manifest' ? { ...record, version: 2 } : record))
    await using memory = await fresh()
    expect((await refusal(memory.import([text]))).message).toContain('newer')
  })
})

describe('[arc-2] what is here with other content', () => {
  async function conflict(memory: Memory): Promise<MemoryError> {
    const before = await textOf(memory.export())
    const error = await refusal(memory.import([archive]))
    expect(error.code).toBe('archive/conflict')
    expect((await memory.verify()).ok).toBe(true)
    expect((await textOf(memory.export())).length).toBeGreaterThanOrEqual(before.length)
    return error
  }

  it('a session of the same name is named and not touched', async () => {
    await using memory = await fresh()
    const chat = memory.scope('acme/ada').session('support')
    await chat.append({ role: 'user', content: 'Mine.' })
    const before = await chat.history()
    const error = await conflict(memory)
    expect(error.details).toMatchObject({ scope: 'acme/ada', session: 'support' })
    expect(await chat.history()).toEqual(before)
  })

  it('a session that went another way is named and not touched', async () => {
    await using memory = await fresh()
    const upTo = lines.findIndex((line) => line.includes('"kind":"message"')) + 2
    await refusal(memory.import([`${lines.slice(0, upTo).join('\n')}\n`]))
    const chat = memory.scope('acme/ada').session('support')
    await chat.append({ role: 'user', content: 'Another way.' })
    const before = await chat.history()
    expect((await conflict(memory)).details).toMatchObject({ session: 'support' })
    expect(await chat.history()).toEqual(before)
  })

  it('what is known otherwise is named', async () => {
    await using memory = await fresh()
    await memory.scope('acme').remember({ subject: 'Bob', predicate: 'is', object: 'here' })
    expect((await conflict(memory)).details).toMatchObject({ record: 'knowledge-version', key: { root: 'acme' } })
  })

  it('a scope takes nothing from outside', async () => {
    await using memory = await fresh()
    const error = await refusal(memory.import([archive], { scope: 'acme-two' }))
    expect(error.code).toBe('archive/damaged')
    expect((await memory.verify()).messages).toBe(0)
  })
})

function contentOf(line: string): string {
  return line.slice(76)
}
