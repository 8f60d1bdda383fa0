import { TRUST_OF_ROLE } from '../domain/trust.ts'
import type { PassageRow } from '../ports/recall-store.ts'
import type { Ranked } from './rank.ts'
import type { Question } from './read-question.ts'
import type { RecallRequest } from './recall.ts'
import { relevanceOf } from './relevance.ts'
import type { DropReason } from '../api/recall.ts'
import { isWorthShowing } from './why.ts'

const rolesByDefault: NonNullable<RecallRequest['roles']> = ['user', 'assistant', 'tool']

/** Why something that was found need not be read, if so. */
export function unread(
  one: Ranked,
  question: Question,
  request: RecallRequest & { readonly line: number },
): DropReason | undefined {
  if (!isWorthShowing(one) || (request.line > 0 && relevanceOf(one, question) < request.line)) return 'below-line'
  if (request.isShown?.(one.passage) === true) return 'already-shown'
  if (!isOfRole(one.passage, request)) return 'other-role'
  return isInTime(one.passage, request) ? undefined : 'other-time'
}

/** Folds and facts have a reference; only messages have a role. */
function isOfRole({ reference, role }: PassageRow, { roles = rolesByDefault }: RecallRequest): boolean {
  return reference !== '' || roles.some((name) => TRUST_OF_ROLE[name] === role)
}

function isInTime({ at }: PassageRow, { since, until }: RecallRequest): boolean {
  return (since === undefined || at >= since) && (until === undefined || at < until)
}
