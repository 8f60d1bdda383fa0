import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { splitJSON } from '../../src/archive/source/split-json.ts'
import { importLimits } from '../../src/archive/source/limits.ts'
import { tellReport, tellScope } from '../archive/tell.ts'
import { times } from '../tier.ts'

const directory = mkdtempSync(join(tmpdir(), 'daybook-imports-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
let count = 0

function folder(files: Readonly<Record<string, string | Buffer>>): string {
  count += 1
  const path = join(directory, String(count))
  mkdirSync(path)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content)
  return path
}

/** What is there after these imports, one after another. */
async function after(...paths: readonly string[]): Promise<string> {
  await using memory = await openMemory(':memory:', { learn: false })
  for (const path of paths) await memory.scope('a').import(path)
  expect((await memory.verify()).ok).toBe(true)
  const told = await tellScope(memory, 'a')
  return told
}

/** A tree of messages: each follows one of those before it. */
const tree = fc
  .array(
    fc.record({ parent: fc.nat(), role: fc.constantFrom('user', 'assistant'), text: fc.string({ minLength: 1 }) }),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((nodes) =>
    nodes.map(({ parent, role, text }, index) => ({
      id: `n${index}`,
      parent: index === 0 ? null : `n${parent % index}`,
      role,
      text: `${text}.`,
    })),
  )

type Tree = typeof tree extends fc.Arbitrary<infer Nodes> ? Nodes : never

function chatgpt(id: string, nodes: Tree): object {
  const mapping = nodes.map((node) => [
    node.id,
    {
      id: node.id,
      parent: node.parent,
      children: nodes.filter(({ parent }) => parent === node.id).map((child) => child.id),
      message: { id: node.id, author: { role: node.role }, content: { content_type: 'text', parts: [node.text] } },
    },
  ])
  return { conversation_id: id, mapping: Object.fromEntries(mapping) as object }
}

/** The ways through a tree, from its root to each of its ends. */
function ways(nodes: Tree): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const ends = nodes.filter(({ id }) => !nodes.some(({ parent }) => parent === id))
  return ends
    .map((end) => {
      const way: string[] = []
      for (let node: Tree[number] | undefined = end; node !== undefined; node = byId.get(node.parent ?? ''))
        way.unshift(node.id)
      return way.join(' ')
    })
    .toSorted()
}

it('[imp-2] every way through a conversation is a session, and a grown one adds to what it was', async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(), async (nodes, cut) => {
      await using memory = await openMemory(':memory:', { learn: false })
      const scope = memory.scope('a')
      const young = nodes.slice(0, 1 + (cut % nodes.length))
      await scope.import(folder({ 'conversations.json': JSON.stringify([chatgpt('c', young)]) }))
      const whole = folder({ 'conversations.json': JSON.stringify([chatgpt('c', nodes)]) })
      await scope.import(whole)
      const told = await tellScope(memory, 'a')
      expect(await scope.import(whole)).toMatchObject({ messages: { new: 0, present: nodes.length, changed: 0 } })
      expect(await tellScope(memory, 'a')).toBe(told)
      expect(told).toBe(await after(whole))
      const { sessions } = await scope.sessions({ limit: 100 })
      const held = await Promise.all(
        sessions.map(async ({ id }) => (await scope.session(id).history()).map((message) => message.id).join(' ')),
      )
      expect(held.toSorted()).toEqual(ways(nodes))
    }),
    { numRuns: times({ daily: 20, nightly: 1_000 }) },
  )
})

it('[imp-2] importing in pieces equals importing whole', async () => {
  const conversations = fc.array(tree, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(conversations, fc.nat(), async (trees, cut) => {
      const items = trees.map((nodes, index) => chatgpt(`c${index}`, nodes))
      const at = cut % (items.length + 1)
      const pieces = folder({
        'conversations-000.json': JSON.stringify(items.slice(0, at)),
        'conversations-001.json': JSON.stringify(items.slice(at), undefined, 2),
      })
      expect(await after(pieces)).toBe(await after(folder({ 'conversations.json': JSON.stringify(items) })))

      const records = (trees[0] ?? []).map(({ id, role, text }, index) => ({
        type: role,
        uuid: id,
        parentUuid: index === 0 ? null : `n${index - 1}`,
        sessionId: 's',
        message: { role, content: text },
      }))
      const lines = records.map((record) => `${JSON.stringify(record)}\n`)
      const middle = cut % (lines.length + 1)
      const parts = [lines.slice(0, middle), lines.slice(middle)].map((some) => folder({ 's.jsonl': some.join('') }))
      expect(await after(...parts)).toBe(await after(folder({ 's.jsonl': lines.join('') })))
    }),
    { numRuns: times({ daily: 12, nightly: 500 }) },
  )
})

it('[imp-3] splitting gives back every document, however the bytes arrive', async () => {
  const documents = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())), {
    minLength: 1,
  })
  const form = fc.constantFrom('lines', 'list', 'pretty list')
  await fc.assert(
    fc.asyncProperty(documents, form, fc.integer({ min: 1, max: 50 }), async (values, shape, size) => {
      const list = shape === 'lines' ? values.filter((value) => !Array.isArray(value)) : values
      const text =
        shape === 'lines'
          ? list.map((value) => `${JSON.stringify(value)}\n`).join('')
          : JSON.stringify(list, undefined, shape === 'list' ? undefined : 2)
      const bytes = Buffer.from(text)
      async function* chunks(): AsyncGenerator<Uint8Array, undefined> {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
      }
      const found: unknown[] = []
      for await (const piece of splitJSON(chunks(), importLimits)) {
        if ('reason' in piece) throw new Error(`${piece.reason}: ${piece.message}`)
        found.push(JSON.parse(piece.text.toString()))
      }
      expect(found).toEqual(JSON.parse(JSON.stringify(list)))
    }),
  )
})

const fixtures = join(import.meta.dirname, '../fixtures/imports')
const samples = readdirSync(fixtures, { recursive: true, encoding: 'utf8' })
  .map((name) => join(fixtures, name))
  .filter((path) => statSync(path).isFile())
  .map((path) => readFileSync(path))

/** Damage to a file: bytes that changed, that are gone, that were put in. */
const damage = fc.array(
  fc.record({
    at: fc.nat(),
    take: fc.integer({ min: 0, max: 40 }),
    put: fc.oneof(
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom(
        ...['\0'.repeat(9), '\n', '"', '{', '}', '[', ']', 'null', '{"a":', '\uD800', '-1e999'].map((text) =>
          Buffer.from(text),
        ),
      ),
    ),
  }),
  { minLength: 1, maxLength: 6 },
)

it('[imp-3] whatever is done to a file, there is a report, the same in a dry run, and the memory is sound', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...samples), damage, async (sample, wounds) => {
      let bytes = sample
      for (const { at, take, put } of wounds) {
        const place = at % (bytes.length + 1)
        bytes = Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + take)])
      }
      const path = folder({ 'file.json': bytes })
      await using memory = await openMemory(':memory:', { learn: false })
      const scope = memory.scope('a')
      const dry = await scope.import(path, { dryRun: true })
      const report = await scope.import(path)
      expect(tellReport(dry)).toBe(tellReport(report))
      const told = await tellScope(memory, 'a')
      expect((await scope.import(path)).messages.new).toBe(0)
      expect(await tellScope(memory, 'a')).toBe(told)
      expect(told).not.toContain('NOT MARKED')
      expect((await memory.verify()).ok).toBe(true)
    }),
    { numRuns: times({ daily: 75, nightly: 5_000 }) },
  )
})
