import { expect, it } from 'vitest'
import { headOf } from '../../src/stores/sql/head-of.ts'
import type { SessionRow } from '../../src/stores/sql/lineage.ts'

function row(key: number): SessionRow {
  const parent = key === 1 ? null : key - 1
  return {
    key,
    scope: 'a',
    name: `s${key}`,
    description: 'null',
    createdAt: 0,
    updatedAt: 0,
    lastSeq: key,
    version: key,
    genesis: new Uint8Array(),
    head: new Uint8Array(),
    parentKey: parent,
    parentName: parent === null ? null : `s${parent}`,
    parentSeq: parent,
    parentVersion: parent,
    parentLink: parent === null ? null : new Uint8Array(),
  }
}

it('[walls-248] a fork of forks reads no ancestor that was read for another session', () => {
  const known = new Map(Array.from({ length: 50 }, (_, nth) => [nth + 1, row(nth + 1)]))
  const head = headOf(row(51), known).next()
  expect(head).toMatchObject({ done: true, value: { orphaned: false } })
  const { lineage } = head.value as { readonly lineage: readonly { readonly key: number }[] }
  expect(lineage.map(({ key }) => key)).toEqual(Array.from({ length: 51 }, (_, nth) => nth + 1))
})

it('[walls-248] what it reads is known to the next session', () => {
  const known = new Map<number, SessionRow>()
  const reading = headOf(row(3), known)
  reading.next()
  reading.next([row(2)])
  expect(reading.next([row(1)])).toMatchObject({ done: true })
  expect(headOf(row(2), known).next()).toMatchObject({ done: true })
})
