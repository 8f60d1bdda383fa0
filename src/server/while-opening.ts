import { MemoryError } from '../domain/error.ts'
import { problemResponse } from './problem-response.ts'

/** What a server says while its memory is being opened: a crash to recover from, or migrations to run, may take a while. */
export function whileOpening(request: Request): Response {
  const { pathname } = new URL(request.url)
  if (pathname === '/healthz') return Response.json({ status: 'ok' })
  if (pathname === '/readyz')
    return Response.json({ status: 'recovering' }, { status: 503, headers: { 'retry-after': '1' } })
  return problemResponse(
    new MemoryError('server/unavailable', 'Cannot handle the request yet: the memory is being opened'),
  )
}
