import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'daybook-again-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function file(name: string, content: unknown): string {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const say = (id: string, text: string): object => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('the same export again', () => {
  it('[imp-2] [keep-2] is no change where secrets are taken out on the way', async () => {
    await using memory = await openMemory(':memory:', { learn: false, redact: 'secrets' })
    const scope = memory.scope('a')
    const key = `sk-proj-${'abcdefghij0123456789'.repeat(3)}`
    const path = file('secret.json', { id: 's', messages: [say('a', `my key is ${key}`)] })
    expect((await scope.import(path)).messages).toEqual({ new: 1, present: 0, changed: 0 })
    expect(await scope.import(path)).toMatchObject({ messages: { new: 0, present: 1, changed: 0 }, skipped: [] })
    expect(JSON.stringify(await scope.session('s').history())).not.toContain(key)
  })

  it('[imp-2] [forget-1] brings nothing back that was forgotten, says so, and brings the rest', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const chats = (more: readonly object[]): readonly object[] => [
      { id: 'one', messages: [say('a', 'first'), say('b', 'second'), ...more] },
      { id: 'two', messages: [say('c', 'other')] },
      ...(more.length === 0 ? [] : [{ id: 'three', messages: [say('d', 'new')] }]),
    ]
    await scope.import(file('grown.json', chats([])))
    await scope.forget({ message: 'b', session: 'one' })
    await scope.forget({ session: 'two' })
    const path = file('grown.json', chats([say('e', 'third')]))
    const dry = await scope.import(path, { dryRun: true })
    const report = await scope.import(path)
    expect({ ...dry, dryRun: false }).toEqual(report)
    expect(report).toMatchObject({
      messages: { new: 2, present: 1, changed: 0 },
      skippedCount: { forgotten: 2 },
      skipped: [
        { place: { id: 'b' }, reason: 'forgotten' },
        { place: { id: 'c' }, reason: 'forgotten' },
      ],
    })
    expect((await scope.session('one').history()).map(({ id }) => id)).toEqual(['a', 'e'])
    expect(await scope.session('two').count()).toBe(0)
  })

  it('[imp-2] [forget-1] leaves out a branch that leaves a message which was forgotten', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const node = (id: string, parent: string | null): object => ({
      id,
      parent,
      message: { id, author: { role: 'user' }, content: { content_type: 'text', parts: [`says ${id}`] } },
    })
    const tree = (...nodes: readonly object[]): readonly object[] => [
      { id: 'tree', mapping: Object.fromEntries(nodes.map((one) => [(one as { id: string }).id, one])) },
    ]
    const old = [node('a', null), node('b', 'a'), node('c', 'b')]
    await scope.import(file('tree.json', tree(...old)))
    await scope.forget({ message: 'b', session: 'tree' })
    const report = await scope.import(file('tree.json', tree(...old, node('d', 'b'))))
    expect(report).toMatchObject({ messages: { new: 0 }, skippedCount: { forgotten: 1, 'session-taken': 1 } })
    expect((await scope.sessions()).sessions.map(({ id }) => id)).toEqual(['tree'])
  })

  it('[imp-2] is told of where other words stand beside the same image', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const chat = (text: string): object => ({
      id: 's',
      messages: [
        say('a', 'first'),
        {
          id: 'b',
          role: 'user',
          parts: [
            { type: 'text', text },
            { type: 'file', mediaType: 'image/png', url: image },
          ],
        },
      ],
    })
    await scope.import(file('picture.json', chat('see this')))
    expect((await scope.import(file('picture.json', chat('see this')))).messages).toMatchObject({ present: 2 })
    expect(await scope.import(file('picture.json', chat('see that')))).toMatchObject({
      messages: { new: 0, present: 1, changed: 1 },
      skippedCount: { 'stored-otherwise': 1 },
    })
  })

  it.each([
    ['with line breaks', 2],
    ['without', 0],
  ])('[imp-2] grown, in a file that is one conversation without a name, written %s, only adds', async (_, indent) => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('a')
    const chat = (...texts: readonly string[]): string =>
      JSON.stringify({ messages: texts.map((content) => ({ role: 'user', content })) }, null, indent)
    await scope.import(file('chat.json', chat('one', 'two')))
    expect(await scope.import(file('chat.json', chat('one', 'two', 'three')))).toMatchObject({
      messages: { new: 1, present: 2 },
      sessions: [{ session: 'chat' }],
    })
    const lines = await scope.import(
      file('lines.json', `${chat('a')}\n${chat('b')}\n`.replaceAll(/\n +|\n(?=\})/g, ' ')),
    )
    expect(lines.sessions).toMatchObject([{ session: /^openai-chat-/ }, { session: /^openai-chat-/ }])
  })
})

it('[imp-2] a branch of a branch of which nothing came in leaves what that one left', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  const node = (id: string, parent: string | null, text: string): readonly [string, object] => [
    id,
    { id, parent, message: { id, author: { role: 'user' }, content: { content_type: 'text', parts: [text] } } },
  ]
  const mapping = Object.fromEntries([
    node('a', null, 'question'),
    node('b', 'a', 'answer'),
    node('x', 'a', ''), // an edit that was never finished
    node('y', 'x', ''),
    node('z', 'x', 'another answer'),
  ])
  const report = await scope.import(file('empty-branch.json', [{ id: 'tree', mapping }]))
  expect(report).toMatchObject({ messages: { new: 3 }, branchCount: 1 })
  expect((await scope.session('tree~z').history()).map(({ id }) => id)).toEqual(['a', 'z'])
})

it('[imp-3] what is wrong with a line of a conversation is told with that line', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const path = file('lines.jsonl', `${JSON.stringify(say('a', 'first'))}\n\n${JSON.stringify(say('b', ''))}\n`)
  const { skipped } = await memory.scope('a').import(path)
  expect(skipped).toMatchObject([{ place: { line: 3, id: 'b' }, reason: 'no-content' }])
})
