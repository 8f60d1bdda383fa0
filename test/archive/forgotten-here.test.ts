import { describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { textOf } from '../../src/domain/text-of.ts'
import { fill, fresh, readAll, textOf as archiveText } from './scene.ts'

/** What a reader finds of a word anywhere in the memory, archives included. */
async function mentions(memory: Memory, word: string): Promise<number> {
  return (await archiveText(memory.export())).split(word).length - 1
}

describe('[walls-247] an archive that is imported again', () => {
  it('brings back no session that was forgotten, nor what was learned from it, and says how much it left out', async () => {
    await using memory = await fresh({ learn: 'patterns' })
    const ada = memory.scope('x/ada')
    await ada
      .session('s1')
      .append({ role: 'user', content: 'My name is Ada Keller. I live in Lisbon.', images: [Buffer.from('a picture')] })
    await ada.session('s1').state.set('mood', 'Keller')
    await memory.scope('x/bob').session('s2').append({ role: 'user', content: 'Nothing to see.' })
    await memory.settled()
    const archive = await archiveText(memory.export())
    await ada.forget({ session: 's1' })
    await memory.settled()
    const before = await archiveText(memory.export())
    const imported = await memory.import([archive])
    expect(imported.forgotten).toBeGreaterThanOrEqual(3)
    expect(await ada.session('s1').history()).toEqual([])
    expect(await mentions(memory, 'Keller')).toBe(0)
    expect(await mentions(memory, Buffer.from('a picture').toString('base64'))).toBe(0)
    expect(await archiveText(memory.export())).toBe(before)
    expect((await memory.verify()).damage).toEqual([])
  })

  it('brings back neither the state nor the blocks of sessions that were forgotten', async () => {
    await using memory = await fresh()
    const ada = memory.scope('x/ada')
    for (const name of ['one', 'two']) {
      await ada.session(name).append({ role: 'user', content: `Keller says ${name}.` })
      await ada.session(name).state.set('mood', 'Keller')
      await ada.session(name).blocks.set('human', 'Keller')
    }
    await ada.session('three').state.set('mood', 'fine')
    await ada.blocks.set('human', 'A friend.')
    const archive = await archiveText(memory.export())
    await ada.forget({ session: 'one' })
    await ada.forget({ session: 'two' })
    const before = await archiveText(memory.export())
    await memory.import([archive])
    expect(await mentions(memory, 'Keller')).toBe(0)
    expect(await archiveText(memory.export())).toBe(before)
    expect(await ada.session('three').state.get('mood')).toBe('fine')
    expect((await ada.blocks.get('human'))?.text).toBe('A friend.')
  })

  it('keeps state that was written in the same place after the forgetting, also when it is moved or its import is resumed', async () => {
    await using memory = await fresh()
    const ada = memory.scope('x/ada')
    const write = async (text: string): Promise<void> => {
      await ada.session('s').state.set('mood', text)
      await ada.session('s').blocks.set('human', text)
      await ada.blocks.set('human', text)
      await ada.records('drafts').put('a', { text })
      await ada.predicate('Keller', { single: true })
    }
    const forgetAll = (): Promise<unknown> => ada.forget({ everything: true })
    await write('Keller the first')
    const first = await archiveText(memory.export())
    await forgetAll()
    await write('Keller the second')
    await ada.session('s').append({ role: 'user', content: 'Hello.' })
    const second = await archiveText(memory.export())
    const session = await archiveText(memory.export({ scope: 'x/ada', session: 's' }))
    await memory.import([first])
    expect(await archiveText(memory.export())).toBe(second)
    await using other = await fresh()
    await expect(other.import([second.slice(0, second.indexOf('state-head'))])).rejects.toMatchObject({
      code: 'archive/damaged',
    })
    expect(await other.import([second])).toMatchObject({ forgotten: 0 })
    expect(await archiveText(other.export())).toBe(second)
    await using third = await fresh()
    await third.import([first])
    await third.scope('x/ada').forget({ everything: true })
    expect(await third.import([session])).toMatchObject({ forgotten: 0 })
    expect(await third.scope('x/ada').session('s').state.get('mood')).toBe('Keller the second')
    await forgetAll()
    for (const archive of [first, second, session]) await memory.import([archive])
    expect(await mentions(memory, 'Keller')).toBe(0)
  })

  it('is no conflict after a message was forgotten, and does not bring it back', async () => {
    await using memory = await fresh({ learn: 'patterns' })
    const bob = memory.scope('x/bob')
    const [first] = await bob.session('s').append(
      [
        { role: 'user', content: 'My colleague Ada Keller lives in Lisbon.' },
        { role: 'user', content: 'I live in Malmö.' },
      ],
      { operationId: 'once' },
    )
    await memory.settled()
    const archive = await archiveText(memory.export())
    await bob.forget({ message: first?.id ?? '', session: 's' })
    await memory.settled()
    const before = await archiveText(memory.export())
    await memory.import([archive])
    expect((await bob.session('s').history()).map(textOf)).toEqual(['I live in Malmö.'])
    expect(await mentions(memory, 'Keller')).toBe(0)
    expect(await archiveText(memory.export())).toBe(before)
  })

  it('brings what the memory never had, beside what was forgotten in it', async () => {
    await using source = await fresh()
    const say = (name: string): Promise<unknown> =>
      source
        .scope('acme')
        .session(name)
        .append({ role: 'user', id: name, content: `This is ${name}.` })
    await say('one')
    await source.scope('acme').session('one').fork('branch')
    await say('two')
    const early = await archiveText(source.export())
    await say('three')
    const late = await archiveText(source.export())
    await using memory = await fresh()
    const acme = memory.scope('acme')
    await memory.import([early])
    await acme.forget({ session: 'branch' })
    await acme.forget({ session: 'one' })
    // Another conversation under the name of the one that is gone.
    await acme.session('one').append({ role: 'user', content: 'A new beginning.' })
    expect(await memory.import([late])).toMatchObject({ sessions: 2, messages: 2 })
    expect((await acme.sessions()).sessions.map(({ id }) => id).toSorted()).toEqual(['one', 'three', 'two'])
    expect((await acme.session('one').history()).map(textOf)).toEqual(['A new beginning.'])
  })

  it('is no conflict where facts were changed since, beside something that was forgotten', async () => {
    await using memory = await fresh()
    const ada = memory.scope('x/ada')
    await ada.session('s').append({ role: 'user', content: 'Hello.' })
    const [tea] = await ada.remember({ subject: 'Ann', predicate: 'likes', object: 'tea' })
    const [rum] = await ada.remember({ subject: 'Bob', predicate: 'likes', object: 'rum' })
    await ada.predicate('likes', { single: true })
    const archive = await archiveText(memory.export())
    await ada.forget({ fact: tea?.id ?? '' })
    await ada.forget({ session: 's' })
    await ada.retract(rum?.id ?? '', 'a mistake')
    await ada.predicate('likes', { single: false })
    await ada.remember({ subject: 'Cy', predicate: 'likes', object: 'gin' })
    const before = await archiveText(memory.export())
    expect(await memory.import([archive])).toMatchObject({ stored: 0, sessions: 0, messages: 0 })
    expect(await archiveText(memory.export())).toBe(before)
    expect((await memory.verify()).damage).toEqual([])
  })

  it('of a memory that forgot things itself is whole in a new one', async () => {
    await using source = await fresh()
    await fill(source)
    const archive = await archiveText(source.export())
    await using memory = await fresh()
    expect(await memory.import([archive])).toMatchObject({ forgotten: 0 })
    expect(await readAll(memory)).toEqual(await readAll(source))
    expect(await archiveText(memory.export())).toBe(archive)
  })
})
