import { MemoryError } from '../../domain/error.ts'
import type { Fact } from '../../domain/fact.ts'
import type { NewFact } from '../../domain/new-fact.ts'
import { normalForm } from '../../domain/normal-form.ts'
import { quote } from '../../domain/refuse.ts'
import type { Scope } from '../../api/scope.ts'
import {
  ENTITY_TYPE,
  type GraphEntity,
  type GraphRelation,
  type KnowledgeGraph,
  allFacts,
  graphOf,
  graphPredicate,
  observationOf,
  partOf,
  graphRelationOf,
  graphTags,
} from './graph-facts.ts'

/** An agent says so: what it adds is trusted as an agent is, and what it takes away it can bring back. */
const AGENT = { channel: 'agent' } as const
const FACTS_PER_TRANSACTION = 1_000

/** The graph of the reference memory server, as facts of a scope: everything in it has sources, a history and a way back. */
export async function readGraph(scope: Scope): Promise<KnowledgeGraph> {
  return graphOf(await allFacts(scope))
}

/** Entities with a text in their name, type or observations, whatever its case. */
export async function searchNodes(scope: Scope, query: string): Promise<KnowledgeGraph> {
  const wanted = query.toLowerCase()
  const has = (text: string): boolean => text.toLowerCase().includes(wanted)
  return partOf(await readGraph(scope), ({ name, entityType, observations }) =>
    [name, entityType, ...observations].some(has),
  )
}

export async function openNodes(scope: Scope, names: readonly string[]): Promise<KnowledgeGraph> {
  const wanted = new Set(names.map(normalForm))
  const found = new Map<string, Fact>()
  for (const name of named(names)) for (const fact of await aroundEntity(scope, name)) found.set(fact.id, fact)
  return partOf(graphOf([...found.values()]), ({ name }) => wanted.has(normalForm(name)))
}

/** Creates those that are not there yet, and returns them. */
export async function createEntities(scope: Scope, given: readonly GraphEntity[]): Promise<readonly GraphEntity[]> {
  const fresh: GraphEntity[] = []
  for (const { name, entityType, observations } of distinct(given, (entity) => normalForm(entity.name)))
    if (!(await isEntity(scope, name)))
      fresh.push({ name, entityType, observations: distinct(observations, normalForm) })
  await add(scope, fresh.map(factsOf))
  return fresh
}

/** Creates those that are not there yet, and returns them. Their ends need not be entities. */
export async function createRelations(
  scope: Scope,
  given: readonly GraphRelation[],
): Promise<readonly GraphRelation[]> {
  const known = new Set<string>()
  for (const from of named(given.map((relation) => relation.from)))
    for (const relation of graphOf(await aboutEntity(scope, from)).relations) known.add(relationKey(relation))
  const fresh = distinct(given, relationKey)
    .filter((relation) => !known.has(relationKey(relation)))
    .map(({ from, to, relationType }) => ({ from, to, relationType }))
  await add(
    scope,
    // A graph has as many edges as somebody drew.
    fresh.map(({ from, to, relationType }) => [
      { subject: from, predicate: graphPredicate(relationType), object: { entity: to }, alongside: true },
    ]),
    fresh.map(({ relationType }) => relationType),
  )
  return fresh
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
  const known = new Map<string, Set<string>>()
  const added: AddedObservations[] = []
  for (const { entityName, contents } of given) {
    const key = normalForm(entityName)
    const observed = known.get(key) ?? new Set((await observationsOf(scope, entityName)).map(normalForm))
    known.set(key, observed)
    const fresh = distinct(contents, normalForm).filter((text) => !observed.has(normalForm(text)))
    for (const text of fresh) observed.add(normalForm(text))
    added.push({ entityName, addedObservations: fresh })
  }
  await add(
    scope,
    added.map(({ entityName, addedObservations }) => addedObservations.map((text) => ({ text, subject: entityName }))),
  )
  return added
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
          fact.predicate === graphPredicate(relationType)
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

function factsOf({ name, entityType, observations }: GraphEntity): FactGroup {
  if (!isName(name))
    throw new MemoryError(
      'input/invalid',
      `Cannot create an entity: found the name ${quote(name)}, expected 1 to 512 characters`,
      { name },
    )
  return [
    {
      subject: isName(entityType) ? { name, type: entityType } : name,
      predicate: ENTITY_TYPE,
      object: entityType.trim() === '' ? { json: entityType } : entityType,
    },
    ...observations.map((text) => ({ text, subject: name })),
  ]
}

async function observationsOf(scope: Scope, name: string): Promise<readonly string[]> {
  return (await aboutEntity(scope, name)).flatMap((fact) => observationOf(fact) ?? [])
}

/** Facts that are stored together: of one entity, or one edge. */
type FactGroup = readonly Exclude<NewFact, string>[]

/**
 * Stores facts of the graph, each with its place in it. Groups are stored whole as far as one transaction takes them, so that a call that
 * was cut off in between can be made again.
 */
async function add(scope: Scope, groups: readonly FactGroup[], relationTypes: readonly string[] = []): Promise<void> {
  const facts = groups.flat()
  if (facts.length === 0) return
  const version = await scope.knowledgeVersion()
  const placed = facts.map((fact, index) => ({ ...fact, tags: graphTags([version, index], relationTypes[index]) }))
  let at = 0
  for (const size of transactionSizes(groups)) {
    await scope.remember(placed.slice(at, at + size), AGENT)
    at += size
  }
}

/** How many facts go into each transaction. */
function transactionSizes(groups: readonly FactGroup[]): readonly number[] {
  const sizes: number[] = []
  let open = 0
  for (const { length } of groups) {
    if (open > 0 && open + length > FACTS_PER_TRANSACTION) {
      sizes.push(open)
      open = 0
    }
    for (open += length; open > FACTS_PER_TRANSACTION; open -= FACTS_PER_TRANSACTION) sizes.push(FACTS_PER_TRANSACTION)
  }
  return open === 0 ? sizes : [...sizes, open]
}

function relationKey({ from, to, relationType }: GraphRelation): string {
  return JSON.stringify([normalForm(from), normalForm(to), graphPredicate(relationType)])
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
