import type { JSONObject } from '../../domain/json.ts'
import type { Scope } from '../../api/scope.ts'
import { aListOf } from '../../shape/combine.ts'
import { standaloneSchema } from '../../shape/json-schema.ts'
import { anObject, mustHave } from '../../shape/object.ts'
import type { Fields, FieldsOf, RequiredField, Shape } from '../../shape/shape.ts'
import { aFlag, aText } from '../../shape/values.ts'
import { checkReferenceInput } from './check-reference-input.ts'
import type { GraphEntity, GraphRelation } from './graph-facts.ts'
import * as graph from './knowledge-graph.ts'
import type { McpAnswer, McpTool } from './mcp-tool.ts'

/** A tool of whatever scope; made once, since a server is made for every request. */
type ScopedTool = Omit<McpTool, 'execute'> & { readonly execute: (scope: Scope, input: unknown) => Promise<McpAnswer> }

interface ToolDescription<Input extends object> extends Pick<McpTool, 'description' | 'can' | 'destructive'> {
  readonly input: FieldsOf<Input>
  readonly output: object
  readonly execute: (scope: Scope, input: Input) => Promise<McpAnswer>
}

/** Models add fields of their own, which the reference server ignores too. */
function item<T extends object>(fields: FieldsOf<NoInfer<T>>): Shape<T> {
  return anObject<T>(undefined, fields, { what: 'field', open: true })
}

const texts = (help: string): RequiredField<readonly string[]> => mustHave(aListOf(aText), help)
const entityName: RequiredField<string> = mustHave(aText, 'The name of the entity')

const entity: Shape<GraphEntity> = item<GraphEntity>({
  name: entityName,
  entityType: mustHave(aText, 'The type of the entity'),
  observations: texts('An array of observation contents associated with the entity'),
})
const relation: Shape<GraphRelation> = item<GraphRelation>({
  from: mustHave(aText, 'The name of the entity where the relation starts'),
  to: mustHave(aText, 'The name of the entity where the relation ends'),
  relationType: mustHave(aText, 'The type of the relation'),
})
const entities = { entities: mustHave(aListOf(entity), 'Entities') }
const relations = { relations: mustHave(aListOf(relation), 'Relations') }
const wholeGraph = { ...entities, ...relations }
const done = { success: mustHave(aFlag, 'Whether it was done'), message: mustHave(aText, 'What was done') }

const adding: readonly ScopedTool[] = [
  tool('create_entities', {
    description: 'Create multiple new entities in the knowledge graph',
    can: 'write',
    input: entities,
    output: entities,
    execute: async (scope, input) => list('entities', await graph.createEntities(scope, input.entities)),
  }),
  tool('create_relations', {
    description:
      'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
    can: 'write',
    input: relations,
    output: relations,
    execute: async (scope, input) => list('relations', await graph.createRelations(scope, input.relations)),
  }),
  tool('add_observations', {
    description: 'Add new observations to existing entities in the knowledge graph',
    can: 'write',
    input: {
      observations: mustHave(
        aListOf(item<graph.NewObservations>({ entityName, contents: texts('What was observed of it') })),
        'Observations by entity',
      ),
    },
    output: {
      results: mustHave(
        aListOf(item<graph.AddedObservations>({ entityName, addedObservations: texts('Those that are new') })),
        'What was added by entity',
      ),
    },
    execute: async (scope, input) => list('results', await graph.addObservations(scope, input.observations)),
  }),
]

const deleting: readonly ScopedTool[] = [
  tool('delete_entities', {
    description: 'Delete multiple entities and their associated relations from the knowledge graph',
    can: 'write',
    destructive: true,
    input: { entityNames: texts('An array of entity names to delete') },
    output: done,
    execute: async (scope, input) => deleted('Entities', await graph.deleteEntities(scope, input.entityNames)),
  }),
  tool('delete_observations', {
    description: 'Delete specific observations from entities in the knowledge graph',
    can: 'write',
    destructive: true,
    input: {
      deletions: mustHave(
        aListOf(item<graph.Deletion>({ entityName, observations: texts('Those to delete') })),
        'Observations by entity',
      ),
    },
    output: done,
    execute: async (scope, input) => deleted('Observations', await graph.deleteObservations(scope, input.deletions)),
  }),
  tool('delete_relations', {
    description: 'Delete multiple relations from the knowledge graph',
    can: 'write',
    destructive: true,
    input: relations,
    output: done,
    execute: async (scope, input) => deleted('Relations', await graph.deleteRelations(scope, input.relations)),
  }),
]

const reading: readonly ScopedTool[] = [
  tool('read_graph', {
    description: 'Read the entire knowledge graph',
    can: 'read',
    input: {},
    output: wholeGraph,
    execute: async (scope) => whole(await graph.readGraph(scope)),
  }),
  tool('search_nodes', {
    description: 'Search for nodes in the knowledge graph based on a query',
    can: 'read',
    input: { query: mustHave(aText, 'The search query to match against entity names, types, and observation content') },
    output: wholeGraph,
    execute: async (scope, { query }) => whole(await graph.searchNodes(scope, query)),
  }),
  tool('open_nodes', {
    description: 'Open specific nodes in the knowledge graph by their names',
    can: 'read',
    input: { names: texts('An array of entity names to retrieve') },
    output: wholeGraph,
    execute: async (scope, { names }) => whole(await graph.openNodes(scope, names)),
  }),
]

/**
 * The nine tools of the reference memory server, with its names, shapes, texts and order, over the facts of a scope. What differs:
 * texts that differ only in case or spacing are the same, and the same thing twice in one call is stored once.
 */
export function referenceTools(scope: Scope): readonly McpTool[] {
  return [...adding, ...deleting, ...reading].map(({ execute, ...rest }) => ({
    ...rest,
    execute: (input) => execute(scope, input),
  }))
}

function tool<Input extends object>(
  toolName: string,
  { input, output, execute, ...description }: ToolDescription<Input>,
): ScopedTool {
  const shape = item<Input>(input)
  return {
    name: toolName,
    ...description,
    plainErrors: true,
    inputSchema: standaloneSchema(input as unknown as Fields, true),
    outputSchema: standaloneSchema(output as Fields),
    execute: async (scope, given) => {
      checkReferenceInput(toolName, shape, given)
      return execute(scope, given as Input)
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
  const stayed = left === 0 ? '' : `; ${left} belong to a wider scope and were not deleted`
  const message = `${what} deleted successfully${stayed}`
  return { text: message, structured: { success: true, message } }
}
