import type { Scope } from '../../api/scope.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Fact } from '../../domain/fact.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Channel } from '../../domain/trust.ts'
import { objectSchema } from '../../tools/input-schema.ts'
import { countField, textField } from '../../tools/tool-input.ts'
import { allFacts } from './graph-facts.ts'
import type { McpAnswer, McpTool } from './mcp-tool.ts'

const FOUND_DEFAULT = 10
const LISTED_DEFAULT = 50
const LISTED_MAX = 1_000

const text = { type: 'string', description: 'What to remember, as a sentence that can be understood on its own' }
const id = { type: 'string', description: 'The id of a memory' }

/** The tools of Mem0's MCP server by their names. A memory is a fact; deleting takes it back, so that a person can restore it. */
export function mem0Tools({
  scope,
  channel,
}: {
  readonly scope: Scope
  readonly channel: Channel
}): readonly McpTool[] {
  return [...writing(scope, channel), ...reading(scope)]
}

function writing(scope: Scope, channel: Channel): readonly McpTool[] {
  return [
    {
      name: 'add_memory',
      description: 'Store a memory: a preference, a fact or a decision that matters in later conversations.',
      can: 'propose',
      inputSchema: objectSchema({ text }, ['text']),
      execute: async (input) => {
        const [fact] = await scope.remember({ text: needed(input, 'text') }, { channel })
        return asJson({ results: [{ ...memoryOf(fact), event: fact.outcome === 'added' ? 'ADD' : 'NONE' }] })
      },
    },
    {
      name: 'update_memory',
      description: 'Replace the text of a memory. The result has its new id.',
      can: 'write',
      inputSchema: objectSchema({ memory_id: id, text }, ['memory_id', 'text']),
      execute: async (input) => {
        const old = await found(scope, needed(input, 'memory_id'))
        // The new one first: if this ends in between, nothing is lost.
        const [fact] = await scope.remember({ text: needed(input, 'text') }, { channel })
        if (fact.id !== old.id) await scope.retract(old.id, 'updated over MCP', { channel })
        return asJson(memoryOf(fact))
      },
    },
    {
      name: 'delete_memory',
      description: 'Delete one memory by its id.',
      can: 'write',
      destructive: true,
      inputSchema: objectSchema({ memory_id: id }, ['memory_id']),
      execute: async (input) => {
        await scope.retract(needed(input, 'memory_id'), 'deleted over MCP', { channel })
        return asJson({ message: 'Memory deleted successfully!' })
      },
    },
    {
      name: 'delete_all_memories',
      description: 'Delete all memories of this scope.',
      can: 'write',
      destructive: true,
      inputSchema: objectSchema({}, []),
      execute: async () => {
        for (const fact of await allFacts(scope))
          if (fact.scope === scope.name) await scope.retract(fact.id, 'deleted over MCP', { channel })
        return asJson({ message: 'Memories deleted successfully!' })
      },
    },
  ]
}

function reading(scope: Scope): readonly McpTool[] {
  return [
    {
      name: 'search_memories',
      description: 'Find memories that bear on a question, best first.',
      can: 'read',
      inputSchema: objectSchema(
        { query: { type: 'string', description: 'The question' }, limit: { type: 'integer', minimum: 1 } },
        ['query'],
      ),
      execute: async (input) => {
        const limit = countField(input, 'limit') || FOUND_DEFAULT
        const { items } = await scope.recall(needed(input, 'query'), { limit, kinds: ['fact'] })
        return asJson({
          results: items.map(({ source, text: memory, relevance, at }) => {
            return { id: source.id, memory, score: relevance, created_at: at }
          }),
        })
      },
    },
    {
      name: 'get_memories',
      description: 'List memories, newest first.',
      can: 'read',
      inputSchema: objectSchema({ limit: { type: 'integer', minimum: 1, maximum: LISTED_MAX } }, []),
      execute: async (input) => {
        const facts = await scope.facts({ limit: Math.min(countField(input, 'limit') || LISTED_DEFAULT, LISTED_MAX) })
        return asJson({ results: facts.map(memoryOf) })
      },
    },
    {
      name: 'get_memory',
      description: 'Read one memory by its id.',
      can: 'read',
      inputSchema: objectSchema({ memory_id: id }, ['memory_id']),
      execute: async (input) => asJson(memoryOf(await found(scope, needed(input, 'memory_id')))),
    },
    {
      name: 'list_entities',
      description: 'List the people and things that memories are about.',
      can: 'read',
      inputSchema: objectSchema({}, []),
      execute: async () => {
        const entities = await scope.entities({ limit: LISTED_MAX })
        return asJson({ results: entities.map(({ name, type }) => ({ name, type })) })
      },
    },
  ]
}

/** @throws {MemoryError} `knowledge/not-found` */
async function found(scope: Scope, wanted: string): Promise<Fact> {
  const fact = await scope.fact(wanted)
  if (fact !== undefined && fact.state !== 'retracted') return fact
  throw new MemoryError('knowledge/not-found', 'Memory not found!', { id: wanted })
}

/** @throws {MemoryError} `input/invalid` */
function needed(input: unknown, name: string): string {
  const value = textField(input, name)
  if (value !== '') return value
  throw new MemoryError('input/invalid', `Cannot use this tool: ${name} is empty, expected a text`, { option: name })
}

function memoryOf({ id: factId, text: memory, learnedAt }: Fact): JSONObject {
  return { id: factId, memory, created_at: learnedAt }
}

function asJson(value: JSONObject): McpAnswer {
  return { text: JSON.stringify(value, undefined, 2), structured: value }
}
