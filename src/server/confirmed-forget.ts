import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { MemoryError } from '../domain/error.ts'
import { factOperations } from '../surface/facts.ts'
import { optionsOf } from './arguments.ts'
import { callOperation } from './call-operation.ts'
import type { Call } from './route.ts'

/** Of this process: what it confirmed, no other process takes. */
const SECRET = randomBytes(32)
const VALID_MS = 120_000
const HEADER = 'daybook-confirm'

/**
 * Forgets. The inspector, which has its key in a cookie, must first ask for a dry run: its response has a confirmation for that very
 * target, and only with it, and within two minutes, something is destroyed.
 *
 * @throws {MemoryError} `access/forbidden` without a confirmation.
 */
export async function confirmedForget(call: Call): Promise<unknown> {
  if (call.request.headers.get('authorization') !== null) return callOperation(factOperations.forget, call)
  const { dryRun, reason: _, ...target } = optionsOf<Readonly<Record<string, unknown>>>(call)
  const subject = JSON.stringify([call.key.id, call.scope.name, target])
  if (dryRun === true) {
    const receipt = await callOperation(factOperations.forget, call)
    const headers = { 'cache-control': 'no-store', [HEADER]: confirmation(subject, Date.now() + VALID_MS) }
    return Response.json(receipt, { headers })
  }
  const given = call.request.headers.get(HEADER) ?? ''
  const until = Number(given.split('.')[0])
  if (!(until > Date.now()) || !isSame(given, confirmation(subject, until)))
    throw new MemoryError(
      'access/forbidden',
      'Cannot forget from the page: expected the confirmation of a dry run for the same target, at most two minutes old',
    )
  return callOperation(factOperations.forget, call)
}

function confirmation(subject: string, until: number): string {
  return `${until}.${createHmac('sha256', SECRET).update(`${until} ${subject}`).digest('base64url')}`
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
