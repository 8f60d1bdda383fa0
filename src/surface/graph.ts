import type {
  EntitiesOptions,
  EntityOptions,
  Graph,
  GraphOptions,
  GraphPath,
  PathOptions,
  Predicate,
  PredicateOptions,
} from '../api/graph.ts'
import type { Entity } from '../domain/entity.ts'
import { aListOf, either } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aCount, aCountUpTo, aFlag, aNull, aText, aWholeNumber } from '../shape/values.ts'
import { aFact, aName, aPageCursor, aPredicate, momentFields } from './fact-shapes.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SCOPE } from './paths.ts'

/** Farther than any question means, and near enough that no answer is the whole graph. */
const DEPTH_MAX = 16

const aDepth: Shape<number> = aCountUpTo(DEPTH_MAX)

export const anEntity: Shape<Entity> = anObject('Entity', {
  name: mustHave(aText, 'Its name'),
  type: mustHave(either([aText, aNull]), 'What kind of thing it is; null if that is not known'),
  aliases: mustHave(aListOf(aText), 'Other names it has'),
  scope: mustHave(aText, 'The scope that has it: the one that was asked or an ancestor'),
  revision: mustHave(
    aWholeNumber,
    'The version of the knowledge in which it last changed, counted from the scope that was asked',
  ),
})

const names: Shape<string | readonly string[]> = either([aName, aListOf(aName, { min: 1 })], {
  wanted: 'a name, or an array of names',
})

const graphOptions: Shape<GraphOptions> = anObject('GraphOptions', {
  ...momentFields,
  around: mustHave(names, 'Names or aliases of the entities to start from'),
  depth: mayHave(aDepth, 'How many relations away from them to look', '1'),
  limit: mayHave(aCount, 'At most this many facts, nearest first', '200'),
})

const graph: Shape<Graph> = anObject('Graph', {
  entities: mustHave(aListOf(anEntity), 'The entities, those it started from included'),
  facts: mustHave(aListOf(aFact), 'Facts about these entities and between them, in both directions'),
  truncated: mustHave(aFlag, 'There is more within that depth than the limit allows'),
})

const pathOptions: Shape<PathOptions> = anObject('PathOptions', {
  ...momentFields,
  maxDepth: mayHave(aDepth, 'At most this many relations', '6'),
})

const graphPath: Shape<GraphPath> = anObject('GraphPath', {
  found: mustHave(aFlag, 'Whether there is a path'),
  entities: mustHave(aListOf(anEntity), 'Both ends and the entities between them, in order'),
  facts: mustHave(aListOf(aFact), 'The relations from one to the next, in either direction'),
  complete: mustHave(aFlag, 'False if the search stopped before it had looked everywhere'),
})

const entityOptions: Shape<EntityOptions> = anObject('EntityOptions', { asOf: momentFields.asOf })

const entitiesOptions: Shape<EntitiesOptions> = anObject('EntitiesOptions', {
  asOf: momentFields.asOf,
  type: mayHave(aName, 'Only entities of this type'),
  limit: mayHave(aCount, 'At most this many entities', '100'),
  after: mayHave(aName, 'The name of the last entity of the page before'),
})

const predicateOptions: Shape<PredicateOptions> = anObject('PredicateOptions', {
  single: mustHave(aFlag, 'Whether it holds one value at a time, so that a new one closes the one before'),
})

const predicate: Shape<Predicate> = anObject('Predicate', {
  name: mustHave(aText, 'Its name'),
  single: mustHave(aFlag, 'Whether it holds one value at a time'),
  scope: mustHave(either([aText, aNull]), 'The scope that declared it; null if it is built in'),
})

export const graphOperations: Readonly<
  Record<'around' | 'path' | 'entities' | 'entity' | 'predicates' | 'predicate', Operation>
> = noun('graph', {
  around: {
    help: 'Read what is known around some entities',
    attempt: 'read the graph',
    call: 'graph',
    can: 'read',
    method: 'post',
    path: `${SCOPE}/graph`,
    options: graphOptions,
    answer: graph,
    writes: false,
  },
  path: {
    help: 'Find the shortest path from one entity to another',
    attempt: 'find a path',
    call: 'path',
    can: 'read',
    method: 'post',
    path: `${SCOPE}/path`,
    takes: { from: mustHave(aName, 'The entity to start from'), to: mustHave(aName, 'The entity to reach') },
    options: pathOptions,
    answer: graphPath,
    writes: false,
  },
  entities: {
    help: 'List the entities of a scope and its ancestors, by name',
    attempt: 'list entities',
    call: 'entities',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/entities`,
    options: entitiesOptions,
    answer: anObject<{ readonly entities: readonly Entity[]; readonly next: string | null }>(undefined, {
      entities: mustHave(aListOf(anEntity), 'The entities'),
      next: mustHave(aPageCursor, 'The `after` of the next page; null on the last page'),
    }),
    as: 'entities',
    pages: 'name',
    writes: false,
  },
  entity: {
    help: 'Read one entity, by its name or an alias',
    attempt: 'read an entity',
    call: 'entity',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/entities/{name}`,
    takes: { name: mustHave(aName, 'The name or an alias') },
    options: entityOptions,
    answer: anEntity,
    missing: 'knowledge/not-found',
    writes: false,
  },
  predicates: {
    help: 'List the predicates that were declared here or above, and those built in',
    attempt: 'list predicates',
    call: 'predicates',
    can: 'read',
    method: 'get',
    path: `${SCOPE}/predicates`,
    answer: anObject<{ readonly predicates: readonly Predicate[] }>(undefined, {
      predicates: mustHave(aListOf(predicate), 'The predicates, by name'),
    }),
    as: 'predicates',
    writes: false,
  },
  predicate: {
    help: 'Declare whether a predicate holds one value at a time, here and in the scopes below',
    attempt: 'declare a predicate',
    call: 'predicate',
    can: 'write',
    method: 'put',
    path: `${SCOPE}/predicates/{name}`,
    takes: { name: mustHave(aPredicate, 'The predicate') },
    options: predicateOptions,
    answer: predicate,
    writes: true,
    repeat: 'harmless',
  },
})
