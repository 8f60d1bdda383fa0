import { describe, expect, it } from 'vitest'
import { fill, fresh, readAll, textOf } from './scene.ts'

const KINDS = [
  ...'manifest calibration blob session message amendment operation knowledge-version fact fact-source'.split(' '),
  ...'fact-forgotten entity entity-name predicate proposal proposal-part end'.split(' '),
]

describe('an archive', () => {
  it('[arc-1] [arc-2] [imp-4] of everything, imported into an empty memory, is exported again to the byte', async () => {
    await using memory = await fresh()
    await fill(memory)
    const archive = await textOf(memory.export())
    await using other = await fresh()
    const imported = await other.import([archive])
    expect(await textOf(other.export())).toBe(archive)
    expect(await readAll(other)).toEqual(await readAll(memory))
    expect((await other.verify()).ok).toBe(true)
    expect(imported.stored).toBe(imported.records)
    for (const kind of KINDS) expect(archive, kind).toContain(`,"kind":"${kind}",`)
  })

  it('[arc-1] has nothing in it that a database handed out', async () => {
    await using memory = await fresh()
    await fill(memory)
    const archive = await textOf(memory.scope('acme').export())
    await using other = await fresh()
    for (const name of ['takes', 'the', 'first', 'keys'])
      await other.scope('noise').session(name).append({ role: 'user', content: 'noise' })
    await other.import([archive])
    expect(await textOf(other.scope('acme').export())).toBe(archive)
  })

  it('[arc-1] of a scope has the scope and all below, and nobody beside', async () => {
    await using memory = await fresh()
    await fill(memory)
    const archive = await textOf(memory.scope('acme').export())
    expect(archive).not.toContain('acme-two')
    expect(archive).not.toContain('zeta')
    expect(archive).toContain('"scope":"acme/ada"')
    await using other = await fresh()
    await other.import([archive])
    expect(await textOf(other.scope('acme').export())).toBe(archive)
    const [mine, theirs] = [memory.scope('acme/ada'), other.scope('acme/ada')]
    expect(await theirs.facts({ includeClosed: true })).toEqual(await mine.facts({ includeClosed: true }))
    expect((await other.verify()).ok).toBe(true)
  })

  it('[arc-1] of a fork brings those it was forked from, with their blobs, and no others', async () => {
    await using memory = await fresh()
    await fill(memory)
    const archive = await textOf(memory.scope('acme/ada').export({ session: 'twig' }))
    expect(archive.match(/"kind":"session"/g)).toHaveLength(3)
    expect(archive).not.toContain('"name":"long"')
    await using other = await fresh()
    await other.import([archive])
    const [mine, theirs] = [memory, other].map((one) => one.scope('acme/ada').session('twig'))
    expect(await theirs?.history()).toEqual(await mine?.history())
    expect((await other.verify()).ok).toBe(true)
    expect(await textOf(other.scope('acme/ada').export({ session: 'twig' }))).toBe(archive)
  })

  it('[arc-1] remembers what was learned from, so that nothing is learned twice', async () => {
    await using memory = await fresh({ learn: 'patterns' })
    const ada = memory.scope('acme/ada')
    await ada.session('s').append({ role: 'user', content: 'My name is Ada. I live in Malmö.' })
    await memory.settled()
    const learned = await ada.facts()
    expect(learned.length).toBeGreaterThan(0)
    for (const { id } of learned) await ada.retract(id, 'a joke')
    const archive = await textOf(memory.export())
    expect(archive).toContain('"kind":"learned"')
    await using other = await fresh({ learn: 'patterns' })
    await other.import([archive])
    await other.settled()
    expect(await other.scope('acme/ada').facts()).toEqual([])
    expect(await textOf(other.export())).toBe(archive)
  })

  it('[arc-1] finds again what it found: the index is not in it and is posted again', async () => {
    // One moment for both: what is newer counts for more.
    const clock = { now: () => Date.UTC(2026, 0, 1) }
    await using memory = await fresh({ clock })
    await fill(memory)
    await using other = await fresh({ clock })
    await other.import([await textOf(memory.export())])
    const asked = (one: typeof memory): Promise<unknown> => one.scope('acme/ada').recall('which order is late?')
    expect(await asked(other)).toEqual(await asked(memory))
  })

  it('[arc-2] can be imported again and again: nothing changes, and it says so', async () => {
    await using memory = await fresh()
    await fill(memory)
    const archive = await textOf(memory.export())
    await using other = await fresh()
    await other.import([archive])
    expect((await other.import([archive])).stored).toBe(0)
    expect((await memory.import([archive])).stored).toBe(0)
    expect(await textOf(other.export())).toBe(archive)
  })

  it('[arc-2] may be behind: a conversation that went on stays as it is', async () => {
    await using memory = await fresh()
    const chat = memory.scope('a').session('s')
    await chat.append([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'two' },
    ])
    const early = await textOf(memory.export())
    await chat.append({ role: 'user', content: 'three' })
    const late = await textOf(memory.export())
    expect((await memory.import([early])).stored).toBe(0)
    expect(await textOf(memory.export())).toBe(late)
    await using other = await fresh()
    await other.import([early])
    expect((await other.import([late])).stored).toBe(1)
    expect(await textOf(other.export())).toBe(late)
  })

  it('[arc-2] is the same however its stream is cut', async () => {
    await using memory = await fresh()
    await fill(memory)
    const bytes = Buffer.from(await textOf(memory.export()))
    await using other = await fresh()
    await other.import(pieces(bytes, 7))
    expect(Buffer.from(await textOf(other.export())).equals(bytes)).toBe(true)
  })

  it('[arc-2] tells how far it is', async () => {
    await using memory = await fresh()
    await fill(memory)
    const told: number[] = []
    const archive = await textOf(memory.export({ onProgress: ({ records }) => told.push(records) }))
    expect(told.at(-1)).toBe(archive.split('\n').length - 1)
    await using other = await fresh()
    const heard: number[] = []
    const { records } = await other.import([archive], { onProgress: (progress) => heard.push(progress.records) })
    expect(heard.at(-1)).toBe(records)
  })

  it('[arc-2] is consistent while others write', async () => {
    await using memory = await fresh()
    await fill(memory)
    const before = await textOf(memory.export({ scope: 'acme/ada' }))
    const archive = memory.export({ scope: 'acme/ada' })[Symbol.asyncIterator]()
    let text = (await archive.next()).value as string
    await memory.scope('acme/ada').session('later').append({ role: 'user', content: 'too late' })
    for (let next = await archive.next(); next.done !== true; next = await archive.next()) text += next.value
    await using other = await fresh()
    await other.import([text])
    expect((await other.verify()).ok).toBe(true)
    expect(text.startsWith(before.slice(0, 1_000))).toBe(true)
  })
})

function* pieces(bytes: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
