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
