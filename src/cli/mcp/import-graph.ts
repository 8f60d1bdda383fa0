import { existsSync, readFileSync } from 'node:fs'
import type { Scope } from '../../api/scope.ts'
import { normalForm } from '../../domain/normal-form.ts'
import type { GraphEntity, GraphRelation } from '../../server/mcp/graph-facts.ts'
import { addObservations, createEntities, createRelations } from '../../server/mcp/knowledge-graph.ts'
import { CommandError } from '../exit-status.ts'

/** Facts of one call. */
const FACTS_AT_ONCE = 500
const NAME_CHARACTERS_MAX = 512
const OBSERVATION_CHARACTERS_MAX = 32_768
const DONE = 'mcp_import'

/**
 * Imports the file of the reference memory server, once: the option stays in the configuration of a host, and what was deleted
 * since would come back at the next start. An import that was interrupted is continued. Returns what happened in words.
 */
export async function importGraph(scope: Scope, session: string, file: string): Promise<string> {
  const { state } = scope.session(session)
  if ((await state.get(DONE)) !== undefined) return `daybook: ${file} was already imported, so it is not imported again`
  if (!existsSync(file)) throw new CommandError('notFound', `Cannot import ${JSON.stringify(file)}: no such file`)
  const items = parseLines(file, readFileSync(file, 'utf8'))
  const entities = items.filter((item): item is GraphEntity & { type: string } => item.type === 'entity')
  const relations = items.filter((item): item is GraphRelation & { type: string } => item.type === 'relation')
  for (const batch of batches(entities, ({ observations }) => observations.length + 1)) {
    await createEntities(
      scope,
      batch.map((entity) => ({ ...entity, observations: entity.observations.slice(0, FACTS_AT_ONCE) })),
    )
    for (const { name: entityName, observations } of batch)
      for (let from = FACTS_AT_ONCE; from < observations.length; from += FACTS_AT_ONCE)
        await addObservations(scope, [{ entityName, contents: observations.slice(from, from + FACTS_AT_ONCE) }])
  }
  for (const batch of batches(relations, () => 1)) await createRelations(scope, batch)
  await state.set(DONE, file)
  return `daybook: imported ${entities.length} entities and ${relations.length} relations from ${file}`
}

/** In order, each batch as large as one call may be, or one item. */
function batches<Item>(items: readonly Item[], sizeOf: (item: Item) => number): readonly (readonly Item[])[] {
  const made: Item[][] = []
  let room = 0
  for (const item of items) {
    room -= sizeOf(item)
    if (room < 0) {
      made.push([])
      room = FACTS_AT_ONCE - sizeOf(item)
    }
    made.at(-1)?.push(item)
  }
  return made
}

/** All of it is read before anything is stored. */
function parseLines(file: string, text: string): readonly { readonly type: string }[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      const item = JSON.parse(line) as { type: string } & Partial<GraphEntity & GraphRelation>
      const isEntity = item.type === 'entity' && isName(item.name) && isName(item.entityType)
      if (isEntity && Array.isArray(item.observations) && item.observations.every(isObservation)) return [item]
      if (item.type === 'relation' && [item.from, item.to, item.relationType].every(isName)) return [item]
    } catch {
      // Reported below.
    }
    throw new CommandError(
      'failed',
      `Cannot import ${JSON.stringify(file)}: line ${index + 1} is not a valid entity or relation. Nothing was imported`,
    )
  })
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && normalForm(value) !== '' && value.length <= NAME_CHARACTERS_MAX
}

function isObservation(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= OBSERVATION_CHARACTERS_MAX
}
