import { checkOptions } from '../domain/check-options.ts'
import { parseTime } from '../domain/moment.ts'
import { refuse } from '../domain/refuse.ts'
import { checkCount, checkFlag } from './check-arguments.ts'
import type { ContextRecall } from '../context/recalled.ts'
import { aKindList, aRoleList } from '../surface/recall.ts'

/** Accepts the option `recall` of a context. */
export function checkContextRecall(recalling: unknown): asserts recalling is boolean | ContextRecall {
  if (typeof recalling === 'boolean') return
  checkOptions('build a context: recall', recalling, [
    'query',
    'budget',
    'deadlineMs',
    'kinds',
    'roles',
    'limit',
    'since',
    'until',
    'ancestors',
  ])
  const { query, budget, deadlineMs, limit, kinds, roles, since, until, ancestors } = recalling as ContextRecall
  if (kinds !== undefined) aKindList.check('build a context', 'recall.kinds', kinds)
  if (roles !== undefined) aRoleList.check('build a context', 'recall.roles', roles)
  for (const [name, value] of Object.entries({ since, until }))
    if (value !== undefined) parseTime('build a context', `recall.${name}`, value)
  if (ancestors !== undefined) checkFlag('build a context', 'recall.ancestors', ancestors)
  if (query !== undefined && typeof query !== 'string') refuse('build a context', 'recall.query', query, 'a string')
  for (const [name, value] of Object.entries({ budget, deadlineMs, limit }))
    if (value !== undefined) checkCount('build a context', `recall.${name}`, value)
}
