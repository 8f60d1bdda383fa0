import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import type { Session } from '../../src/api/session.ts'

/** A store goes on from how it left a session: what another handle did meanwhile must be seen all the same. */
describe('two handles that write to one session in turns', () => {
  let directory: string
  let here: Memory
  let there: Memory
  let mine: Session
  let theirs: Session
  const say = (chat: Session, content: string, after?: number): Promise<unknown> =>
    chat.append({ role: 'user', content }, after === undefined ? {} : { after })
  const seqsOf = async (chat: Session): Promise<readonly number[]> => (await chat.history()).map(({ seq }) => seq)

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'daybook-two-'))
    const file = join(directory, 'a.db')
    here = await openMemory(file, { learn: false })
    there = await openMemory(file, { learn: false })
    mine = here.scope('acme').session('s')
    theirs = there.scope('acme').session('s')
    await say(mine, 'one')
  })
  afterEach(async () => {
    await here.close()
    await there.close()
    rmSync(directory, { recursive: true })
  })

  it('[log-5] number their messages without a gap, and keep one chain', async () => {
    for (let turn = 0; turn < 5; turn++)
      for (const chat of [theirs, mine, mine, theirs]) await say(chat, `turn ${turn}`)
    expect(await seqsOf(mine)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
    expect(await there.verify()).toMatchObject({ ok: true, messages: 21 })
  })

  it('[log-7] are refused by how the session stands, not by how they left it', async () => {
    await say(theirs, 'two')
    await expect(say(mine, 'late', 1)).rejects.toMatchObject({ code: 'log/conflict', details: { last: 2 } })
    await say(mine, 'three', 2)
    await expect(say(theirs, 'late', 2)).rejects.toMatchObject({ code: 'log/conflict', details: { last: 3 } })
    expect(await seqsOf(theirs)).toEqual([1, 2, 3])
  })

  it('[log-8] chain to a revision, a removal and a clearing by the other', async () => {
    const [{ id } = { id: '' }] = await theirs.append({ role: 'user', content: 'two' })
    await mine.revise(id, { content: 'two, again' })
    await say(theirs, 'three')
    await mine.remove(id)
    await say(theirs, 'four')
    await mine.clear()
    await say(theirs, 'five')
    expect(await seqsOf(mine)).toEqual([1, 2, 3, 4, 5])
    expect(await here.verify()).toMatchObject({ ok: true })
  })

  it('[forget-1] begin anew where the other forgot the session', async () => {
    await there.scope('acme').forget({ session: 's' })
    await say(mine, 'anew')
    expect(await seqsOf(mine)).toEqual([1])
    expect(await here.verify()).toMatchObject({ ok: true, messages: 1 })
  })
})
