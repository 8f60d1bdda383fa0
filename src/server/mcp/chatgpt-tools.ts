import type { Scope } from '../../api/scope.ts'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject } from '../../domain/json.ts'
import { textOf } from '../../domain/text-of.ts'
import { textField } from '../../tools/tool-input.ts'
import { objectSchema } from '../../tools/input-schema.ts'
import type { McpAnswer, McpTool } from './mcp-tool.ts'

const FOUND_MAX = 20
const TITLE_CHARACTERS = 80
/** Session and position of a message. */
const MESSAGE = /^message:([^]+)#([1-9]\d{0,14})$/
const FACT = /^fact:(.+)$/

/** The two tools that ChatGPT expects of a connector, in its shapes: `search` finds, `fetch` reads one result in full. */
export function chatgptTools(scope: Scope): readonly McpTool[] {
  return [
    {
      name: 'search',
      description: 'Search the memory for messages and facts. Returns ids that fetch reads.',
      can: 'read',
      inputSchema: objectSchema({ query: { type: 'string', description: 'What to look for' } }, ['query']),
      execute: async (input) => asJson({ results: await search(scope, textField(input, 'query')) }),
    },
    {
      name: 'fetch',
      description: 'Read one result of search in full.',
      can: 'read',
      inputSchema: objectSchema({ id: { type: 'string', description: 'An id that search returned' } }, ['id']),
      execute: async (input) => asJson(await fetchOne(scope, textField(input, 'id'))),
    },
  ]
}

async function search(scope: Scope, query: string): Promise<readonly JSONObject[]> {
  if (query === '') return []
  const { items } = await scope.recall(query, { limit: FOUND_MAX, relevant: true, kinds: ['message', 'fact'] })
  return items.map(({ kind, text, source: { id, session, seq } }) =>
    result(scope, kind === 'fact' ? `fact:${id}` : `message:${session}#${seq}`, text),
  )
}

/** @throws {MemoryError} `access/not-found` */
async function fetchOne(scope: Scope, id: string): Promise<JSONObject> {
  const [, fact] = FACT.exec(id) ?? []
  const found = fact === undefined ? undefined : await scope.fact(fact)
  if (found !== undefined)
    return { ...result(scope, id, found.text), text: found.text, metadata: { at: found.learnedAt, trust: found.trust } }
  const [, session, position] = MESSAGE.exec(id) ?? []
  const [message] =
    session === undefined ? [] : await scope.session(session).history({ after: Number(position) - 1, limit: 1 })
  if (session === undefined || message?.seq !== Number(position))
    throw new MemoryError('access/not-found', `Cannot fetch ${JSON.stringify(id)}: expected an id that search returned`)
  const text = textOf(message) || JSON.stringify(message.parts)
  return { ...result(scope, id, text), text, metadata: { session, role: message.role, at: message.at } }
}

/** ChatGPT cites a result by its address. */
function result(scope: Scope, id: string, text: string): JSONObject {
  const [line = ''] = text.trim().split('\n')
  const title = line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS)}…` : line
  return { id, title, url: `daybook://${scope.name}/${encodeURIComponent(id)}` }
}

function asJson(value: JSONObject): McpAnswer {
  return { text: JSON.stringify(value), structured: value }
}
