import { z } from 'zod'
import { MemoryError } from '../../domain/error.ts'
import type { JSONObject } from '../../domain/json.ts'
import type { Scope } from '../../memory/scope.ts'
import * as graph from './knowledge-graph.ts'
import type { McpAnswer, McpTool } from './mcp-tool.ts'

/** A tool of whatever scope; made once, since a server is made for every request. */
type ScopedTool = Omit<McpTool, 'execute'> & { readonly execute: (scope: Scope, input: unknown) => Promise<McpAnswer> }

interface Terms<Input> extends Pick<McpTool, 'description' | 'can' | 'destructive'> {
  readonly input: z.ZodType<Input>
  readonly output: z.ZodType
  readonly execute: (scope: Scope, input: Input) => Promise<McpAnswer>
}

const text: z.ZodString = z.string()
const texts: z.ZodArray<z.ZodString> = z.array(text)
const entity = z.object({
  name: text.describe('The name of the entity'),
  entityType: text.describe('The type of the entity'),
  observations: texts.describe('What was observed of it'),
})
const relation = z.object({
  from: text.describe('The name of the entity where the relation starts'),
  to: text.describe('The name of the entity where the relation ends'),
  relationType: text.describe('The type of the relation, in active voice'),
})
const entities = z.object({ entities: z.array(entity) })
const relations = z.object({ relations: z.array(relation) })
const wholeGraph = z.object({ entities: z.array(entity), relations: z.array(relation) })
const done = z.object({ success: z.boolean(), message: text })

const adding: readonly ScopedTool[] = [
  tool('create_entities', {
    description: 'Create new entities in the knowledge graph. A name that is there is left as it is.',
    can: 'write',
    input: entities,
    output: entities,
    execute: async (scope, input) => list('entities', await graph.createEntities(scope, input.entities)),
  }),
  tool('create_relations', {
    description: 'Create new relations between entities of the knowledge graph, in active voice.',
    can: 'write',
    input: relations,
    output: relations,
    execute: async (scope, input) => list('relations', await graph.createRelations(scope, input.relations)),
  }),
  tool('add_observations', {
    description: 'Add observations to entities that are in the knowledge graph.',
    can: 'write',
    input: z.object({ observations: z.array(z.object({ entityName: text, contents: texts })) }),
    output: z.object({ results: z.array(z.object({ entityName: text, addedObservations: texts })) }),
    execute: async (scope, input) => list('results', await graph.addObservations(scope, input.observations)),
  }),
]

const deleting: readonly ScopedTool[] = [
  tool('delete_entities', {
    description: 'Delete entities and their relations from the knowledge graph.',
    can: 'write',
    destructive: true,
    input: z.object({ entityNames: texts }),
    output: done,
    execute: async (scope, input) => deleted('Entities', await graph.deleteEntities(scope, input.entityNames)),
  }),
  tool('delete_observations', {
    description: 'Delete observations of entities from the knowledge graph.',
    can: 'write',
    destructive: true,
    input: z.object({ deletions: z.array(z.object({ entityName: text, observations: texts })) }),
    output: done,
    execute: async (scope, input) => deleted('Observations', await graph.deleteObservations(scope, input.deletions)),
  }),
  tool('delete_relations', {
    description: 'Delete relations from the knowledge graph.',
    can: 'write',
    destructive: true,
    input: relations,
    output: done,
    execute: async (scope, input) => deleted('Relations', await graph.deleteRelations(scope, input.relations)),
  }),
]

const reading: readonly ScopedTool[] = [
  tool('read_graph', {
    description: 'Read the whole knowledge graph.',
    can: 'read',
    input: z.object({}),
    output: wholeGraph,
    execute: async (scope) => whole(await graph.readGraph(scope)),
  }),
  tool('search_nodes', {
    description: 'Find entities of the knowledge graph by a text in their name, type or observations.',
    can: 'read',
    input: z.object({ query: text }),
    output: wholeGraph,
    execute: async (scope, { query }) => whole(await graph.searchNodes(scope, query)),
  }),
  tool('open_nodes', {
    description: 'Read entities of the knowledge graph by their names.',
    can: 'read',
    input: z.object({ names: texts }),
    output: wholeGraph,
    execute: async (scope, { names }) => whole(await graph.openNodes(scope, names)),
  }),
]

/**
 * The nine tools of the reference memory server, by its names and shapes, over the facts of a scope: whoever used it keeps
 * their prompts. What differs: a name is the same whatever its case, and a predicate that holds one value holds one.
 */
export function referenceTools(scope: Scope): readonly McpTool[] {
  return [...adding, ...deleting, ...reading].map(({ execute, ...rest }) => ({
    ...rest,
    execute: (input) => execute(scope, input),
  }))
}

function tool<Input>(name: string, { input, output, execute, ...terms }: Terms<Input>): ScopedTool {
  return {
    name,
    ...terms,
    inputSchema: z.toJSONSchema(input) as JSONObject,
    outputSchema: z.toJSONSchema(output) as JSONObject,
    execute: async (scope, given) => {
      const read = input.safeParse(given)
      if (read.success) return execute(scope, read.data)
      const [issue] = read.error.issues
      const place = issue === undefined || issue.path.length === 0 ? 'arguments' : issue.path.join('.')
      throw new MemoryError('input/invalid', `Cannot use ${name}: ${place}: ${issue?.message}`, { place })
    },
  }
}

/** The text is the list itself, as the reference server writes it. */
function list(name: string, items: readonly object[]): McpAnswer {
  return { text: JSON.stringify(items, undefined, 2), structured: { [name]: items } as unknown as JSONObject }
}

function whole(value: object): McpAnswer {
  return { text: JSON.stringify(value, undefined, 2), structured: value as JSONObject }
}

function deleted(what: string, left: number): McpAnswer {
  const stayed = left === 0 ? '' : `; ${left} of a wider scope stay, which are not yours to delete`
  const message = `${what} deleted successfully${stayed}`
  return { text: message, structured: { success: true, message } }
}
