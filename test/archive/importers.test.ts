import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/index.ts'
import { tellReport, tellScope } from './tell.ts'

const fixtures = join(import.meta.dirname, '../fixtures/imports')
const goldens = join(import.meta.dirname, '../fixtures/imports-golden')

const files = [
  'chatgpt/conversations.json',
  'chatgpt/sharded',
  'claude/conversations.json',
  'claude/memories.json',
  'claude/projects.json',
  'claude-code/session.jsonl',
  'openai-chat/finetune.jsonl',
  'openai-chat/chat.json',
  'openai-agents/items.json',
  'openai-agents/items.jsonl',
  'ai-sdk-ui/chats.json',
  'ai-sdk-ui/messages.jsonl',
  'langchain/messages.json',
  'langchain/dicts.json',
  'langsmith/runs.jsonl',
  'langgraph/checkpoints.json',
  'mcp-memory/memory.jsonl',
  'mcp-memory/graph.json',
  'mem0/page.json',
  'mem0/memories.jsonl',
]

it.each(files)(
  '[imp-1] [imp-2] [imp-4] %s comes in as its golden says; a dry run says the same; again is no change',
  async (file) => {
    await using memory = await openMemory(':memory:', { learn: false })
    const scope = memory.scope('acme/ada')
    const path = join(fixtures, file)
    const dry = await scope.import(path, { dryRun: true })
    expect((await scope.sessions()).sessions).toEqual([])
    expect(await scope.knowledgeVersion()).toBe(0)
    const report = await scope.import(path)
    expect(tellReport(dry)).toBe(tellReport(report))
    const told = await tellScope(memory, 'acme/ada')
    await expect(`${told}\n${tellReport(report)}`).toMatchFileSnapshot(
      join(goldens, `${file.replaceAll('/', '-')}.txt`),
    )

    const version = await scope.knowledgeVersion()
    const again = await scope.import(path)
    expect(again.messages).toEqual({ new: 0, present: report.messages.new, changed: 0 })
    expect(again.facts).toEqual({ new: 0, present: report.facts.new + report.facts.present })
    expect(await tellScope(memory, 'acme/ada')).toBe(told)
    expect(await scope.knowledgeVersion()).toBe(version)
    expect(told).not.toContain('NOT MARKED')
  },
)

it('[imp-2] a file that gives its conversation no name is called after it, or as it is told; another of that name is told of', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('a')
  await scope.import(join(fixtures, 'openai-agents/items.json'))
  const clash = await scope.import(join(fixtures, 'openai-agents/items.jsonl'))
  expect(clash).toMatchObject({ messages: { new: 0, changed: 0 }, skippedCount: { 'session-taken': 1 } })
  const named = await scope.import(join(fixtures, 'openai-agents/items.jsonl'), { session: 'other' })
  expect(named).toMatchObject({ messages: { new: 2, changed: 0 }, sessions: [{ session: 'other' }] })
})

it.each([
  ['a path that is none', 7, {}],
  ['an empty path', '', {}],
  ['an unknown format', 'x', { format: 'word' }],
  ['an unknown option', 'x', { dryrun: true }],
  ['a flag that is none', 'x', { dryRun: 'yes' }],
  ['a limit that is none', 'x', { limits: { bytesMax: -1 } }],
  ['an unknown limit', 'x', { limits: { bytes: 1 } }],
  ['a session that cannot be', 'x', { session: '' }],
])('[imp-3] %s is refused', async (_, path, options) => {
  await using memory = await openMemory(':memory:', { learn: false })
  await expect(memory.scope('a').import(path as string, options as object)).rejects.toMatchObject({
    code: 'input/invalid',
  })
})

it('[found-46] the title of a conversation is in the list of sessions and beside what is recalled from it', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  const scope = memory.scope('acme/ada')
  const { sessions } = await scope.import(join(fixtures, 'chatgpt/conversations.json'))
  const titled = sessions.find(({ title }) => title !== undefined)
  const session = scope.session(titled?.session ?? '')
  await session.append({ role: 'user', content: 'And a xylophone, please' })
  const page = await scope.sessions({ preview: true })
  expect(page.sessions.find(({ id }) => id === session.id)?.preview?.title).toBe(titled?.title)
  const [first] = (await session.history()).flatMap(({ parts }) =>
    parts.flatMap((part) => ('text' in part ? [part.text] : [])),
  )
  const found = await scope.recall(first ?? '', { fresh: true })
  expect(found.items.find(({ source }) => source.session === session.id)?.title).toBe(titled?.title)
})
