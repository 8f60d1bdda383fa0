import { defined } from '../../domain/defined.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Fact } from '../../domain/fact.ts'
import { NOTE } from '../../domain/new-fact.ts'
import { normalForm, normalPredicate } from '../../domain/normal-form.ts'
import type { FactsOptions } from '../../api/facts.ts'
import type { Scope } from '../../api/scope.ts'

/** The fact that makes a name an entity of the graph, also one of which nothing was observed yet. */
export const ENTITY_TYPE = 'entity_type'

const RELATION_TAG = 'relation: '
/** Says when a fact was added to the graph: the version of the scope's knowledge, and the position within the call. */
const PLACE_TAG = 'place: '
const FACTS_PER_PAGE = 1_000
/** A graph is one answer, and a model has to read it. */
const FACTS_MAX = 20_000

export interface GraphEntity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
}

export interface GraphRelation {
  readonly from: string
  readonly to: string
  readonly relationType: string
}

export interface KnowledgeGraph {
  readonly entities: readonly GraphEntity[]
  readonly relations: readonly GraphRelation[]
}

/** All that match, page by page. @throws {MemoryError} `input/too-large` */
export async function allFacts(scope: Scope, options: FactsOptions = {}): Promise<readonly Fact[]> {
  const found: Fact[] = []
  for (;;) {
    const last = found.at(-1)
    const page = await scope.facts({
      ...options,
      order: 'oldest',
      limit: FACTS_PER_PAGE,
      ...defined({ after: last?.id }),
    })
    found.push(...page)
    if (page.length < FACTS_PER_PAGE) return found
    if (found.length > FACTS_MAX)
      throw new MemoryError(
        'input/too-large',
        `Cannot read the graph: found more than ${FACTS_MAX} facts, expected fewer; open_nodes and retrieve_from_memory read a part`,
        { max: FACTS_MAX },
      )
  }
}

/** The edge that a fact is; `undefined` if its object is no entity. */
export function graphRelationOf({ subject, predicate, object, tags }: Fact): GraphRelation | undefined {
  if (subject === null || typeof object !== 'object' || !('entity' in object)) return undefined
  const spelt = tags.findLast((tag) => tag.startsWith(RELATION_TAG))?.slice(RELATION_TAG.length)
  return { from: subject, to: object.entity, relationType: spelt ?? predicate }
}

/** The predicate of an edge. A type without letters and digits, such as an arrow, is named by its characters. */
export function graphPredicate(relationType: string): string {
  const characters = Array.from(relationType, (character) => character.codePointAt(0)?.toString(16)).join('_')
  return normalPredicate(relationType) || normalPredicate(`relation_${characters}`)
}

/**
 * The tags of a fact that is added to the graph. A fact that is told again after it was retracted keeps its id and its old tags, so
 * its place must be written down; and predicates have one spelling, so the caller's is kept where it is another.
 */
export function graphTags(place: readonly [version: number, index: number], relationType?: string): readonly string[] {
  const spelling =
    relationType === undefined || relationType === graphPredicate(relationType)
      ? []
      : [`${RELATION_TAG}${relationType}`]
  return [`${PLACE_TAG}${place.join('.')}`, ...spelling]
}

/** In the order in which they were added to the graph. What other tools stored has the place of its last change. */
function inPlace(facts: readonly Fact[]): readonly Fact[] {
  const places = new Map(facts.map((fact) => [fact.id, placeOf(fact)]))
  return facts.toSorted((a, b) => {
    const [[version, index], [otherVersion, otherIndex]] = [places.get(a.id) ?? [0, 0], places.get(b.id) ?? [0, 0]]
    return version - otherVersion || index - otherIndex || (a.id < b.id ? -1 : 1)
  })
}

function placeOf({ tags, revision }: Fact): readonly [number, number] {
  const [version, index] =
    tags
      .findLast((tag) => tag.startsWith(PLACE_TAG))
      ?.slice(PLACE_TAG.length)
      .split('.') ?? []
  return version === undefined ? [revision - 1, 0] : [Number(version), Number(index)]
}

/** What a fact says of its subject in words; `undefined` if it only makes it an entity, or is an edge. */
export function observationOf(fact: Fact): string | undefined {
  if (fact.predicate === ENTITY_TYPE || graphRelationOf(fact) !== undefined) return undefined
  return fact.predicate === NOTE && typeof fact.object === 'string' ? fact.object : fact.text
}

/** The graph that these facts are. A name that only edges mention is no entity of it, as in the reference server. */
export function graphOf(facts: readonly Fact[]): KnowledgeGraph {
  const entities = new Map<string, { name: string; entityType: string; observations: string[] }>()
  const relations: GraphRelation[] = []
  for (const fact of inPlace(facts)) {
    const relation = graphRelationOf(fact)
    if (relation !== undefined) relations.push(relation)
    if (relation !== undefined || fact.subject === null) continue
    const key = normalForm(fact.subject)
    const entity = entities.get(key) ?? { name: fact.subject, entityType: 'unknown', observations: [] }
    entities.set(key, entity)
    const observation = observationOf(fact)
    if (observation === undefined) entity.entityType = typeText(fact.object)
    else entity.observations.push(observation)
  }
  return { entities: [...entities.values()], relations }
}

/** An empty type is stored as JSON, since a text of a fact is not empty. */
function typeText(object: Fact['object']): string {
  return String(typeof object === 'object' && 'json' in object ? object.json : object)
}

/** The entities that are wanted, and the relations of which at least one end is. */
export function partOf(graph: KnowledgeGraph, wanted: (entity: GraphEntity) => boolean): KnowledgeGraph {
  const entities = graph.entities.filter(wanted)
  const names = new Set(entities.map(({ name }) => normalForm(name)))
  const touches = (name: string): boolean => names.has(normalForm(name))
  return { entities, relations: graph.relations.filter(({ from, to }) => touches(from) || touches(to)) }
}
