import { PROBLEM_TYPE, problemOf } from '../wire/problem.ts'
import type { PlainAnswer } from './plain-answer.ts'

/** An error as the answer to a request. */
export function problemAnswer(error: unknown): PlainAnswer {
  const problem = problemOf(error)
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE }
  if (problem.status === 401) headers['www-authenticate'] = 'Bearer'
  if (problem.status === 429 || problem.status === 503)
    headers['retry-after'] = String(problem.details['retryAfter'] ?? 1)
  return { status: problem.status, headers, body: JSON.stringify(problem) }
}
