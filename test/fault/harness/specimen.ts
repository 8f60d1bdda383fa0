import { readFileSync, writeFileSync } from 'node:fs'

import Database from 'better-sqlite3'

import type { Message } from '../../../src/domain/message.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import type { Memory } from '../../../src/api/memory.ts'
import type { Folder } from './folder.ts'
import { textOf } from './text.ts'

export const SCOPE = 'acme/ada'

/** A sound file with everything a log can hold, and what reading it should give: by session, by id. */
export interface Specimen {
  readonly bytes: Buffer
  readonly sessions: ReadonlyMap<string, ReadonlyMap<string, Message>>
  readonly blobs: ReadonlyMap<string, Uint8Array>
}

export async function makeSpecimen(folder: Folder, messages: number): Promise<Specimen> {
  const file = folder.file('specimen.db')
  const memory = await openMemory(file)
  await fill(memory, messages)
  const sessions = new Map<string, ReadonlyMap<string, Message>>()
  const blobs = new Map<string, Uint8Array>()
  for (const { id } of (await memory.scope(SCOPE).sessions({ limit: 100 })).sessions) {
    const history = await memory.scope(SCOPE).session(id).history()
    sessions.set(id, new Map(history.map((message) => [message.id, message])))
    for (const [hash, bytes] of await memory.scope(SCOPE).session(id).blobs(history)) blobs.set(hash, bytes)
  }
  await memory.close()
  return { bytes: readFileSync(file), sessions, blobs }
}

async function fill(memory: Memory, messages: number): Promise<void> {
  const scope = memory.scope(SCOPE)
  const chats = [
    scope.session('one', { description: 'You are terse. “Ünïcödé” too.' }),
    scope.session('two'),
    scope.session('three'),
  ]
  for (const [index, chat] of chats.entries()) {
    const count = Math.ceil(messages / chats.length)
    await chat.append(
      Array.from({ length: count }, (_, step) => ({
        role: 'user' as const,
        id: `m${index}-${step}`,
        content: textOf(`m${index}-${step} é漢🎉`, 300),
      })),
    )
    for (let step = 0; step < count; step += 7)
      await chat.revise(`m${index}-${step}`, { content: `revised ${index}-${step}` })
    for (let step = 3; step < count; step += 11) await chat.remove(`m${index}-${step}`)
    await chat.append({
      role: 'user',
      id: `image-${index}`,
      content: 'look',
      images: [Buffer.from(`pixels ${textOf(String(index), 3_000)}`)],
    })
    // An image that only a revision points to.
    await chat.revise(`m${index}-1`, { content: 'drawn anew', images: [Buffer.from(`other pixels ${index}`)] })
  }
  await chats[1]?.clear()
  await chats[1]?.append([{ role: 'user', id: 'after-clear', content: 'after the clear' }])
  const branch = await chats[0]?.fork('branch', { at: 20 })
  await branch?.append([{ role: 'assistant', id: 'branched', content: 'on another way' }])
  await branch?.revise('m0-5', { content: 'revised in the branch' })
  const twig = await branch?.fork('twig')
  await twig?.append({ role: 'user', id: 'twigged', content: 'further out' })
}

/** Opens a copy of the specimen behind the memory's back. */
export function tamper(file: string, { bytes }: Specimen, change: (database: Database.Database) => void): void {
  writeFileSync(file, bytes)
  const database = new Database(file)
  try {
    database.pragma('foreign_keys = OFF')
    change(database)
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}
