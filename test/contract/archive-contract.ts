import { describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import type { OpenSubject } from './subject.ts'

/** Archives: out, in, and out again, whatever store is behind either side. */
export function testArchives(open: OpenSubject): void {
  describe('archives', () => {
    it('[arc-2] are equal to the byte when exported, imported and exported again', async () => {
      await using memory = await open({ learn: false })
      await fill(memory)
      const archive = await textOf(memory)
      await using other = await open({ learn: false })
      const imported = await other.import([archive])
      expect(imported.stored).toBe(imported.records)
      expect(await textOf(other)).toBe(archive)
      expect((await other.verify()).ok).toBe(true)
    })

    it('[arc-2] change nothing when they are imported again', async () => {
      await using memory = await open({ learn: false })
      await fill(memory)
      const archive = await textOf(memory)
      expect((await memory.import([archive])).stored).toBe(0)
      expect(await textOf(memory)).toBe(archive)
    })

    it('[arc-2] complete what a torn one left', async () => {
      await using memory = await open({ learn: false })
      await fill(memory)
      const archive = await textOf(memory)
      await using other = await open({ learn: false })
      const torn = archive.slice(0, Math.floor(archive.length / 2))
      await expect(other.import([torn])).rejects.toMatchObject({ code: 'archive/damaged' })
      expect((await other.verify()).ok).toBe(true)
      await other.import([archive])
      expect(await textOf(other)).toBe(archive)
    })

    it('[arc-2] never mix with what is here', async () => {
      await using memory = await open({ learn: false })
      await fill(memory)
      const archive = await textOf(memory)
      await using other = await open({ learn: false })
      const chat = other.scope('acme/ada').session('support')
      await chat.append({ role: 'user', content: 'Mine.' })
      await expect(other.import([archive])).rejects.toMatchObject({
        code: 'archive/conflict',
        details: { scope: 'acme/ada', session: 'support' },
      })
      expect(await chat.count()).toBe(1)
    })

    it('[walls-247] bring back no state, block or record that was forgotten here', async () => {
      await using memory = await open({ learn: false })
      const ada = memory.scope('acme/ada')
      for (const name of ['one', 'two']) {
        await ada.session(name).append({ role: 'user', content: `Keller says ${name}.` })
        await ada.session(name).state.set('mood', 'Keller')
        await ada.session(name).blocks.set('human', 'Keller')
      }
      await ada.session('bare').state.set('mood', 'Keller')
      await ada.blocks.set('human', 'Keller')
      await ada.records('drafts').put('a', { text: 'Keller' })
      // Not a name that is looked for: behind a server it is in the audit trail.
      await ada.predicate('mentor of', { single: true })
      const archive = await textOf(memory)
      const receipt = await ada.forget({ everything: true })
      const before = await textOf(memory)
      expect((await memory.import([archive])).stored).toBe(0)
      expect(await textOf(memory)).toBe(before)
      expect((await memory.verifyForgotten(receipt, ['Keller'])).found).toEqual([])
      await ada.records('drafts').put('a', { text: 'Something new.' })
      await memory.import([archive])
      expect((await ada.records('drafts').get('a'))?.json).toEqual({ text: 'Something new.' })
    })

    it('[arc-1] of a scope have the scope and all below', async () => {
      await using memory = await open({ learn: false })
      await fill(memory)
      let text = ''
      for await (const piece of memory.scope('acme').export()) text += piece
      expect(text).toContain('"scope":"acme/ada"')
      expect(text).not.toContain('acme-two')
    })
  })
}

async function textOf(memory: Memory): Promise<string> {
  let text = ''
  for await (const piece of memory.export()) text += piece
  return text
}

async function fill(memory: Memory): Promise<void> {
  const ada = memory.scope('acme/ada')
  const chat = ada.session('support', { description: 'You are terse. \u0000 \ud800' })
  await chat.append([
    { role: 'user', id: 'question', content: 'Order 7731? \u0000 \udfff é漢🎉', images: [Buffer.from('pixels')] },
    { role: 'assistant', id: 'call', toolCalls: [{ id: 'c', name: 'find', arguments: { order: 7731 } }] },
    { role: 'tool', id: 'result', toolCallId: 'c', content: 'late' },
  ])
  await chat.append({ role: 'assistant', id: 'answer', content: 'Late.' }, { operationId: 'o' })
  const branch = await chat.fork('branch', { at: 3 })
  await branch.append({ role: 'user', id: 'other', content: 'Never mind.' })
  await chat.revise('answer', { content: 'It is late.' })
  await branch.clear()
  await chat.append({ role: 'user', id: 'gone', content: 'Forget this.' }, { operationId: 'gone' })
  await ada.forget({ message: 'gone', session: 'support' })
  await chat.state.set('mood', { '\u0000': true })
  await chat.state.set('mood', { '\u0000': false })
  await chat.state.notes.add({ text: 'ask about the order' })
  await memory.scope('acme-two').session('support').append({ role: 'user', content: 'Somebody else.' })
  await ada.predicate('lives in', { single: true })
  await ada.remember({ subject: 'Ada', predicate: 'lives in', object: { entity: 'Malmö' } })
  await ada.remember({ subject: 'Ada', predicate: 'lives in', object: { entity: 'Lund' } })
  await ada.remember({ subject: 'Countess Lovelace', predicate: 'wrote', object: 'notes' })
  await ada.apply((await ada.propose({ merge: ['Ada', 'Countess Lovelace'] })).id)
}
