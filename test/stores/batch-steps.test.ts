import { expect, it } from 'vitest'
import { batchSteps } from '../../src/stores/postgres/batch-steps.ts'
import { type ProgramStep, change, write } from '../../src/stores/sql/program.ts'

const rows = (text: string, ...values: readonly unknown[]): ProgramStep => ({ text, values, gives: 'rows' })

it('[pg-3] [pg-4] insertions that follow each other are one, with a list for each value', () => {
  const insert = 'INSERT INTO t (a, b) VALUES (?, ?) ON CONFLICT DO NOTHING'
  const { steps, answers } = batchSteps([change(insert, 1, 'x'), change(insert, 2, 'y'), change('DELETE FROM t')])
  expect(steps).toEqual([
    change('INSERT INTO t (a, b) SELECT * FROM unnest(?::bigint[], ?::text[]) ON CONFLICT DO NOTHING', '{1,2}', [
      'x',
      'y',
    ]),
    change('DELETE FROM t'),
  ])
  expect(answers([2, 5])).toEqual([2, 0, 5])
})

it('[pg-3] lists of numbers are text that the server reads, nothing included', () => {
  const insert = 'INSERT INTO t (a, b) VALUES (?, ?)'
  const { steps } = batchSteps([change(insert, 2 ** 52, null), change(insert, -1, 3), change(insert, 0, null)])
  expect(steps[0]?.values).toEqual(['{4503599627370496,-1,0}', '{NULL,3,NULL}'])
})

it('[pg-3] questions that follow each other are one, and each gets its own rows', () => {
  const select = `SELECT b AS "b" FROM t WHERE a = ? AND c <> '?' LIMIT ?`
  const { steps, answers } = batchSteps([rows(select, 'x', 3), rows(select, 'y', 4)])
  expect(steps).toHaveLength(1)
  expect(steps[0]?.text).toContain(`LATERAL (SELECT b AS "b" FROM t WHERE a = asked.v1 AND c <> '?' LIMIT asked.v2)`)
  expect(steps[0]?.values).toEqual([['x', 'y'], '{3,4}'])
  expect(
    answers([
      [
        { b: 7, nth: 2 },
        { b: 8, nth: 2 },
      ],
    ]),
  ).toEqual([[], [{ b: 7 }, { b: 8 }]])
})

it('what cannot be told apart, is held, or is alone, is sent as it is', () => {
  const held = 'SELECT a AS "a" FROM t WHERE a = ? FOR UPDATE'
  const update = 'UPDATE t SET a = ? RETURNING a AS "a"'
  const select = 'SELECT a AS "a" FROM t WHERE a = ?'
  const steps = [
    rows(held, 1),
    rows(held, 2),
    rows(update, 1),
    rows(update, 2),
    rows(select, 1),
    rows(select, 'one'),
    rows('SELECT 1'),
  ]
  const batch = batchSteps(steps)
  expect(batch.steps).toEqual(steps)
  expect(batch.answers([1, 2, 3, 4, 5, 6, 7])).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('a column of nothing but NULL does not keep insertions apart', () => {
  const insert = 'INSERT INTO t (a, b, c) VALUES (?, ?, ?)'
  expect(batchSteps([write(insert, 1, null, 'x'), write(insert, 2, null, 'y')]).steps).toEqual([
    write(
      'INSERT INTO t (a, b, c) SELECT v1, NULL, v2 FROM unnest(?::bigint[], ?::text[]) AS asked (v1, v2)',
      '{1,2}',
      ['x', 'y'],
    ),
  ])
})

it('[surface-70] updates that follow each other are one, unless two of them change the same row', () => {
  const update = 'UPDATE t SET a = ?, b = ? WHERE scope = ? AND key = ?'
  const first = write(update, 1, 'x', 's', 7)
  expect(batchSteps([first, write(update, 2, 'y', 's', 8)]).steps).toEqual([
    write(
      'UPDATE t SET a = asked.v1, b = asked.v2 FROM unnest(?::bigint[], ?::text[], ?::text[], ?::bigint[]) AS asked (v1, v2, v3, v4) WHERE scope = asked.v3 AND key = asked.v4',
      '{1,2}',
      ['x', 'y'],
      ['s', 's'],
      '{7,8}',
    ),
  ])
  const again = [first, write(update, 2, 'y', 's', 7)]
  expect(batchSteps(again).steps).toEqual(again)
})
