import { checkOptions } from '../domain/check-options.ts'
import { checkId } from '../domain/names.ts'
import { parseName } from '../domain/new-fact.ts'
import { refuse } from '../domain/refuse.ts'
import { checkFlag } from './check-arguments.ts'
import { checkReason } from './check-knowledge.ts'
import type { ForgetOptions, ForgetTarget } from '../forgetting/forget.ts'

/** Accepts what to forget, and how. */
export function checkForget(what: ForgetTarget, options: ForgetOptions): void {
  checkOptions('forget', what, ['message', 'session', 'subject', 'fact'], 'field')
  const fields = Object.entries(what).filter(([, value]) => value !== undefined)
  const names = fields.map(([name]) => name).join(' ')
  if (!['message', 'message session', 'session message', 'session', 'subject', 'fact'].includes(names))
    refuse('forget', 'what', what, 'one of { message }, { session }, { subject } and { fact }')
  for (const [name, value] of fields) {
    if (name === 'subject') parseName('forget', name, value)
    else checkId('forget', name, value)
  }
  checkOptions('forget', options, ['reason', 'forks', 'messages', 'dryRun'])
  checkReason('forget', options.reason)
  for (const name of ['forks', 'messages', 'dryRun'] as const)
    if (options[name] !== undefined) checkFlag('forget', name, options[name])
}
