import { hash } from 'node:crypto'
import type { ChangeOptions, ChangeStep, Changed, ReviseStep } from '../api/changes.ts'
import { copyPlain } from '../domain/copy-plain.ts'
import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import { sha256 } from './chain.ts'
import { type PreparedStep, commitSteps } from './commit-steps.ts'
import { dropPieces } from './drop-pieces.ts'
import { get } from './get.ts'
import { checkDistinctIds } from './given-names.ts'
import type { Address, Log } from './log.ts'
import { type PreparedMessage, prepare } from './prepare.ts'
import { revised } from './revised.ts'

/** A bound, not a tuning knob: past it, one change could hold the write lock for seconds. */
const STEPS_MAX = 1_000

/**
 * Appends, revises, removes and clears in one transaction: all steps or none.
 *
 * @throws {MemoryError} `log/conflict` if the log is not where `after` says; `log/id-conflict` if the operation was carried out
 * with other steps; `log/not-found` if a message is not there.
 */
export async function changeSession(
  log: Log,
  address: Address,
  steps: readonly ChangeStep[],
  options: ChangeOptions & { readonly description?: Promise<PreparedMessage | undefined> } = {},
): Promise<Changed> {
  const { operationId, after, description, request: words } = options
  checkSteps(steps)
  const given = steps.map((step) => (step.type === 'revise' ? (copyPlain(step) as ReviseStep) : step))
  const preparing = prepare(
    log,
    ATTEMPT,
    given.flatMap((step) => (step.type === 'append' ? step.messages : [])),
  )
  const appended = await log.order.after(
    address,
    Promise.all([preparing, description]).then(([ready]) => ready),
  )
  checkDistinctIds(ATTEMPT, [...appended, ...given.filter((step) => step.type === 'revise')])
  checkDistinctIds(
    ATTEMPT,
    given.filter((step) => 'id' in step),
  )
  const request =
    operationId === undefined
      ? undefined
      : { id: operationId, digest: words === undefined ? digestSteps(given, appended) : sha256(JSON.stringify(words)) }
  for (;;) {
    const ready = await prepareSteps(log, address, given, [...appended])
    const opening = await description
    const made = await commitSteps(log, address, { attempt: ATTEMPT, steps: ready, after, request, opening })
    if (made.type !== 'done') continue
    await dropPieces(
      log,
      address,
      ready.flatMap((step) => (step.type === 'revise' ? [step.before] : [])),
    )
    const { stored, warnings, session } = made
    const gone = takenOut(ready)
    const messages = stored.map((message) => (gone.has(message.id) ? { ...message, removed: true as const } : message))
    return { messages, warnings, lastSeq: session?.lastSeq ?? 0, version: session?.version ?? 0 }
  }
}

const ATTEMPT = 'change the session'

function checkSteps(steps: readonly ChangeStep[]): void {
  const size = steps.reduce((sum, step) => sum + (step.type === 'append' ? step.messages.length : 1), 0)
  if (size > STEPS_MAX)
    throw new MemoryError(
      'input/too-large',
      `Cannot ${ATTEMPT}: found ${size} steps and messages, expected at most ${STEPS_MAX} per call`,
      { option: 'steps', received: size, max: STEPS_MAX },
    )
  for (const step of steps)
    if (step.type === 'revise' && Object.keys(step.patch).length === 0)
      refuse(ATTEMPT, 'patch', step.patch, 'at least one field to change')
}

/** The new content of revised messages is made from what they are now. Counting may wait, so it is done outside the transaction. */
async function prepareSteps(
  log: Log,
  address: Address,
  steps: readonly ChangeStep[],
  appended: PreparedMessage[],
): Promise<readonly PreparedStep[]> {
  const ready: PreparedStep[] = []
  for (const step of steps) {
    if (step.type === 'append') ready.push({ type: 'append', messages: appended.splice(0, step.messages.length) })
    else if (step.type === 'remove') ready.push({ type: 'remove', id: step.id })
    else if (step.type === 'clear') ready.push({ type: 'clear', keepSystem: step.keepSystem ?? true })
    else ready.push(await prepareRevision(log, address, step))
  }
  return ready
}

async function prepareRevision(log: Log, address: Address, { id, patch }: ReviseStep): Promise<PreparedStep> {
  const before = await get(log.store, address, id)
  // Whether it is missing is decided in the transaction, where a retry of a change that was carried out is found first.
  if (before === undefined) return { type: 'missing', id }
  const [message] = await prepare(log, ATTEMPT, [revised(before, patch)], before.imported)
  return { type: 'revise', before, message: message as PreparedMessage }
}

/** The ids of messages that a change takes out of the window, also those that it appended before. */
function takenOut(steps: readonly PreparedStep[]): ReadonlySet<string> {
  const gone = new Set<string>()
  const appended: PreparedMessage[] = []
  for (const step of steps) {
    if (step.type === 'append') appended.push(...step.messages)
    else if (step.type === 'remove') gone.add(step.id)
    else if (step.type === 'clear')
      for (const { id, role } of appended) if (!step.keepSystem || role !== 'system') gone.add(id)
  }
  return gone
}

/** What was asked, without what we added: generated ids and times differ between a call and its retry. */
function digestSteps(steps: readonly ChangeStep[], appended: readonly PreparedMessage[]): Uint8Array {
  const messages = appended.map(({ role, body, id, idGiven, at }) => [role, body, idGiven ? id : null, at ?? null])
  const asked = steps.map((step) => (step.type === 'append' ? { ...step, messages: step.messages.length } : step))
  return sha256(
    JSON.stringify(['change', asked, messages], (_, value: unknown) =>
      value instanceof Uint8Array ? hash('sha256', value) : value,
    ),
  )
}
