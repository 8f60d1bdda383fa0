import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'
import { knownPredicate } from '../../src/knowledge/learn/model/known-predicate.ts'
import { SINGLE_VALUED } from '../../src/knowledge/single-valued.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { createRelations } from '../../src/server/mcp/knowledge-graph.ts'

it('[signed-4] the predicates that hold one value are those that the documentation lists', () => {
  const page = readFileSync(join(ROOT, 'docs/facts.md'), 'utf8')
  const [, list = ''] = /These predicates have one value at a time:\n\n([\s\S]*?)\n\n/.exec(page) ?? []
  const names = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).filter((name) => !name.endsWith('_'))
  expect(names.toSorted()).toEqual([...SINGLE_VALUED].toSorted())
})

it('[signed-4] where something is located is not where somebody lives', () => {
  expect(knownPredicate('located in')).toBe('located_in')
  expect(knownPredicate('resides in')).toBe('lives_in')
})

it('[signed-5] a relation that an MCP client creates ends no other, whatever its type', async () => {
  await using memory = await openMemory(':memory:')
  const scope = memory.scope('acme/ada')
  await scope.remember({ subject: 'Bolivia', predicate: 'capital', object: { entity: 'Sucre' } })
  const relations = ['La Paz', 'Sucre'].map((to) => ({ from: 'Bolivia', to, relationType: 'capital' }))
  await createRelations(scope, relations)
  await createRelations(scope, [
    { from: 'Paris', to: 'France', relationType: 'located in' },
    { from: 'Paris', to: 'Europe', relationType: 'located in' },
  ])
  const texts = (await scope.facts()).map(({ text }) => text)
  expect(texts.toSorted()).toEqual([
    'Bolivia capital La Paz',
    'Bolivia capital Sucre',
    'Paris located in Europe',
    'Paris located in France',
  ])
})
