import { MemoryError } from '../../domain/error.ts'
import type { Fact, RememberedFact } from '../../domain/fact.ts'
import type { NewFact } from '../../domain/new-fact.ts'
import { normalForm, normalPredicate } from '../../domain/normal-form.ts'
import { quote } from '../../domain/refuse.ts'
import type { Scope } from '../../api/scope.ts'
import {
  ENTITY_TYPE,
  type GraphEntity,
  type GraphRelation,
  type KnowledgeGraph,
  allFacts,
  graphOf,
  observationOf,
  partOf,
  graphRelationOf,
  spellingTags,
} from './graph-facts.ts'

/** An agent says so: what it adds is trusted as an agent is, and what it takes away it can bring back. */
const AGENT = { channel: 'agent' } as const

/** The graph of the reference memory server, as facts of a scope: everything in it has sources, a history and a way back. */
export async function readGraph(scope: Scope): Promise<KnowledgeGraph> {
  return graphOf(await allFacts(scope))
}

/** Entities with a text in their name, type or observations, whatever its case. */
export async function searchNodes(scope: Scope, query: string): Promise<KnowledgeGraph> {
  const wanted = query.toLowerCase()
  const has = (text: string): boolean => text.toLowerCase().includes(wanted)
  return partOf(
    await readGraph(scope),
    ({ name, entityType, observations }) => [name, entityType, ...observations].some(has),
    has,
  )
}

export async function openNodes(scope: Scope, names: readonly string[]): Promise<KnowledgeGraph> {
  const wanted = new Set(names.map(normalForm))
  const found = new Map<string, Fact>()
  for (const name of named(names)) for (const fact of await aroundEntity(scope, name)) found.set(fact.id, fact)
  const facts = [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return partOf(
    graphOf(facts),
    ({ name }) => wanted.has(normalForm(name)),
    (name) => wanted.has(normalForm(name)),
  )
}

/** Those that were not there. */
export async function createEntities(scope: Scope, given: readonly GraphEntity[]): Promise<readonly GraphEntity[]> {
  const fresh: GraphEntity[] = []
  for (const { name, entityType, observations } of distinct(given, (entity) => normalForm(entity.name)))
    if (!(await isEntity(scope, name))) fresh.push({ name, entityType, observations: [...new Set(observations)] })
  const stored = await scope.remember(fresh.flatMap(factsOf), AGENT)
  const made = new Set(
    stored
      .filter(isNew)
      .flatMap(({ subject, predicate }) => (predicate === ENTITY_TYPE ? [normalForm(subject ?? '')] : [])),
  )
  return fresh.filter(({ name }) => made.has(normalForm(name)))
}

/** Those that were not there. Whether their ends are entities is not asked. */
export async function createRelations(
  scope: Scope,
  given: readonly GraphRelation[],
): Promise<readonly GraphRelation[]> {
  const relations = distinct(given, ({ from, to, relationType }) =>
    JSON.stringify([normalForm(from), normalForm(to), normalPredicate(relationType)]),
  )
  const stored = await scope.remember(
    relations.map(({ from, to, relationType }) => ({
      subject: from,
      predicate: relationType,
      object: { entity: to },
      // A graph has as many edges as somebody drew.
      alongside: true,
      ...spellingTags(relationType),
    })),
    AGENT,
  )
  return relations
    .filter((_, index) => isNew(stored[index]))
    .map(({ from, to, relationType }) => ({ from, to, relationType }))
}

export interface NewObservations {
  readonly entityName: string
  readonly contents: readonly string[]
}

export interface AddedObservations {
  readonly entityName: string
  readonly addedObservations: readonly string[]
}

/** All or none: an entity that is not there is an error. */
export async function addObservations(
  scope: Scope,
  given: readonly NewObservations[],
): Promise<readonly AddedObservations[]> {
  for (const { entityName } of given) {
    if (await isEntity(scope, entityName)) continue
    throw new MemoryError('knowledge/not-found', `Entity with name ${entityName} not found`, { entityName })
  }
  const texts = given.map(({ contents }) => distinct(contents, normalForm))
  const stored = await scope.remember(
    given.flatMap(({ entityName }, index) => (texts[index] ?? []).map((text) => ({ text, subject: entityName }))),
    AGENT,
  )
  let at = 0
  return given.map(({ entityName }, index) => ({
    entityName,
    addedObservations: (texts[index] ?? []).filter(() => isNew(stored[at++])),
  }))
}

/** With their edges. What is not there is no error. Answers how many facts of wider scopes had to stay. */
export async function deleteEntities(scope: Scope, names: readonly string[]): Promise<number> {
  let left = 0
  for (const name of named(names)) left += await takeBack(scope, await aroundEntity(scope, name, true))
  return left
}

export interface Deletion {
  readonly entityName: string
  readonly observations: readonly string[]
}

export async function deleteObservations(scope: Scope, given: readonly Deletion[]): Promise<number> {
  let left = 0
  for (const { entityName, observations } of given) {
    const wanted = new Set(observations.map(normalForm))
    const facts = await aboutEntity(scope, entityName)
    left += await takeBack(
      scope,
      facts.filter((fact) => wanted.has(normalForm(observationOf(fact) ?? ''))),
    )
  }
  return left
}

export async function deleteRelations(scope: Scope, given: readonly GraphRelation[]): Promise<number> {
  let left = 0
  for (const { from, to, relationType } of given) {
    const facts = await aboutEntity(scope, from)
    left += await takeBack(
      scope,
      facts.filter((fact) => {
        const relation = graphRelationOf(fact)
        return (
          relation !== undefined &&
          normalForm(relation.to) === normalForm(to) &&
          fact.predicate === normalPredicate(relationType)
        )
      }),
    )
  }
  return left
}

/** Retracted and not destroyed: a model may be wrong, or somebody may have talked it into this. */
async function takeBack(scope: Scope, facts: readonly Fact[]): Promise<number> {
  const own = facts.filter((fact) => fact.scope === scope.name)
  for (const { id } of own) await scope.retract(id, 'deleted over MCP', AGENT)
  return facts.length - own.length
}

async function isEntity(scope: Scope, name: string): Promise<boolean> {
  return graphOf(await aboutEntity(scope, name)).entities.length > 0
}

function aboutEntity(scope: Scope, name: string): Promise<readonly Fact[]> {
  return isName(name) ? allFacts(scope, { subject: name }) : Promise.resolve([])
}

async function aroundEntity(scope: Scope, name: string, includeClosed = false): Promise<readonly Fact[]> {
  const [about, edges] = await Promise.all([
    allFacts(scope, { subject: name, includeClosed }),
    allFacts(scope, { object: { entity: name }, includeClosed }),
  ])
  return distinct([...about, ...edges], ({ id }) => id)
}

function factsOf({ name, entityType, observations }: GraphEntity): readonly NewFact[] {
  if (!isName(name))
    throw new MemoryError(
      'input/invalid',
      `Cannot create an entity: found the name ${quote(name)}, expected some letters`,
      {
        name,
      },
    )
  return [
    { subject: { name, type: entityType }, predicate: ENTITY_TYPE, object: entityType },
    ...observations.map((text) => ({ text, subject: name })),
  ]
}

function isNew(fact: RememberedFact | undefined): boolean {
  return fact?.outcome === 'added' || fact?.outcome === 'restored'
}

/** Names that can be looked up: what cannot be a name is nowhere. */
function named(names: readonly string[]): readonly string[] {
  return distinct(names.filter(isName), normalForm)
}

function isName(name: string): boolean {
  return normalForm(name) !== '' && name.length <= 512
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key) !== undefined
  })
}
