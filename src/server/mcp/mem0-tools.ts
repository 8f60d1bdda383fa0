import type { Scope } from '../../api/scope.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Fact } from '../../domain/fact.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Channel } from '../../domain/trust.ts'
import { objectSchema } from '../../tools/input-schema.ts'
import { countField, textField } from '../../tools/tool-input.ts'
import { allRemembered } from '../mem0/all-remembered.ts'
import { checkChangeable } from '../mem0/check-changeable.ts'
import { isMemory, textOfMemory } from '../mem0/memory-json.ts'
import { type Remembered, isPast, isStoredFact } from '../mem0/remembered.ts'
import { replaceFact } from '../mem0/replace-fact.ts'
import { searchRemembered } from '../mem0/search-remembered.ts'
import { takeOut } from '../mem0/take-out.ts'
import type { McpAnswer, McpTool } from './mcp-tool.ts'

const FOUND_DEFAULT = 10
const LISTED_DEFAULT = 50
const LISTED_MAX = 1_000
/** Session and position: the id of a memory that was said. */
const SAID = /^([^]+)#([1-9]\d{0,14})$/

/** Who changes and deletes memories: that needs the right to write, which makes a caller an agent. */
const AGENT = { channel: 'agent' } as const

const text = { type: 'string', description: 'What to remember, as a sentence that can be understood on its own' }
const id = { type: 'string', description: 'The id of a memory' }

/**
 * The tools of Mem0's MCP server by their names. A memory is what it is for Mem0's clients: see `Remembered`. What is added is stored as
 * a fact. What is deleted is taken back, not destroyed.
 */
export function mem0Tools({
  scope,
  channel,
}: {
  readonly scope: Scope
  /** Where memories come from that are added. */
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
        return asJson({ results: [{ ...shownFact(fact), event: fact.outcome === 'added' ? 'ADD' : 'NONE' }] })
      },
    },
    {
      name: 'update_memory',
      description: 'Replace the text of a memory. The result has its new id.',
      can: 'write',
      inputSchema: objectSchema({ memory_id: id, text }, ['memory_id', 'text']),
      execute: async (input) => {
        const old = await found(scope, needed(input, 'memory_id'))
        const given = needed(input, 'text')
        if (old.kind === 'fact') return asJson(shownFact(await replaceFact(scope, old.fact, { text: given, ...AGENT })))
        checkChangeable(needed(input, 'memory_id'), old.message)
        // An agent does not speak for the user: what it writes is a fact of its own.
        const [fact] = await scope.remember({ text: given }, AGENT)
        await takeOut(scope, old)
        return asJson(shownFact(fact))
      },
    },
    {
      name: 'delete_memory',
      description: 'Delete one memory by its id.',
      can: 'write',
      destructive: true,
      inputSchema: objectSchema({ memory_id: id }, ['memory_id']),
      execute: async (input) => {
        await remove(scope, await found(scope, needed(input, 'memory_id')))
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
        for (const memory of await allRemembered(scope)) await remove(scope, memory)
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
        const all = await searchRemembered(scope, needed(input, 'query'), limit)
        const results = all.filter(({ memory }) => !isPast(memory, Date.now())).slice(0, limit)
        return asJson({ results: results.map(({ memory, relevance }) => ({ ...shown(memory), score: relevance })) })
      },
    },
    {
      name: 'get_memories',
      description: 'List memories, newest first.',
      can: 'read',
      inputSchema: objectSchema({ limit: { type: 'integer', minimum: 1, maximum: LISTED_MAX } }, []),
      execute: async (input) => {
        const limit = Math.min(countField(input, 'limit') || LISTED_DEFAULT, LISTED_MAX)
        const listed = (await allRemembered(scope)).filter((one) => !isPast(one, Date.now()))
        return asJson({ results: listed.slice(0, limit).map(shown) })
      },
    },
    {
      name: 'get_memory',
      description: 'Read one memory by its id.',
      can: 'read',
      inputSchema: objectSchema({ memory_id: id }, ['memory_id']),
      execute: async (input) => asJson(shown(await found(scope, needed(input, 'memory_id')))),
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
async function found(scope: Scope, wanted: string): Promise<Remembered> {
  const [, session = '', seq] = SAID.exec(wanted) ?? []
  if (seq === undefined) {
    const fact = await scope.fact(wanted)
    if (fact !== undefined && isStoredFact(scope, fact)) return { kind: 'fact', fact }
  } else {
    const [message] = await scope.session(session).history({ after: Number(seq) - 1, limit: 1 })
    if (message?.seq === Number(seq) && isMemory(message)) return { kind: 'said', session, message }
  }
  throw new MemoryError('knowledge/not-found', 'Memory not found!', { id: wanted })
}

async function remove(scope: Scope, memory: Remembered): Promise<void> {
  if (memory.kind === 'fact') await scope.retract(memory.fact.id, 'deleted over MCP', AGENT)
  else await takeOut(scope, memory)
}

/** @throws {MemoryError} `input/invalid` */
function needed(input: unknown, name: string): string {
  const value = textField(input, name)
  if (value !== '') return value
  throw new MemoryError('input/invalid', `Cannot use this tool: ${name} is empty, expected a text`, { option: name })
}

function shown(memory: Remembered): JSONObject {
  if (memory.kind === 'fact') return shownFact(memory.fact)
  const { session, message } = memory
  return { id: `${session}#${message.seq}`, memory: textOfMemory(message), created_at: message.at }
}

function shownFact({ id: factId, text: memory, learnedAt }: Fact): JSONObject {
  return { id: factId, memory, created_at: learnedAt }
}

function asJson(value: JSONObject): McpAnswer {
  return { text: JSON.stringify(value, undefined, 2), structured: value }
}
