import { PROBLEM_TYPE, problemOf } from '../wire/problem.ts'

/** An error as the answer to a request. */
export function problemResponse(error: unknown): Response {
  const problem = problemOf(error)
  const headers: Record<string, string> = { 'content-type': PROBLEM_TYPE }
  if (problem.status === 401) headers['www-authenticate'] = 'Bearer'
  if (problem.status === 429 || problem.status === 503)
    headers['retry-after'] = String(problem.details['retryAfter'] ?? 1)
  return new Response(JSON.stringify(problem), { status: problem.status, headers })
}
