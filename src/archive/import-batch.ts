import type { ImportBatch, ImportBatchOptions, ImportedBatch } from '../api/imports.ts'
import { copyPlain } from '../domain/copy-plain.ts'
import type { RememberedFact } from '../domain/fact.ts'
import { type NewFact, parseFacts } from '../domain/new-fact.ts'
import { parseMessage } from '../domain/parse-message.ts'
import { MemoryError } from '../domain/error.ts'
import type { Part } from '../domain/part.ts'
import { append } from '../log/append.ts'
import { writeBody } from '../log/body.ts'
import { forgottenAmong } from '../log/forgotten-among.ts'
import { fork } from '../log/fork.ts'
import { get } from '../log/get.ts'
import { history } from '../log/history.ts'
import type { Address, Log } from '../log/log.ts'
import { partsToStore } from '../log/prepare.ts'
import { openView } from '../log/view.ts'
import { withoutLengths } from '../log/without-lengths.ts'
import type { ArchiveWiring } from './wiring.ts'
import { redactFacts } from '../log/redact.ts'

type Messages = NonNullable<ImportBatch['messages']>

/** Stores a batch of an import. Everything in it gets the trust of imports, whatever it says of itself. */
export async function importBatch(
  parts: ArchiveWiring,
  scope: string,
  batch: ImportBatch,
  { dryRun = false }: ImportBatchOptions,
): Promise<ImportedBatch> {
  const facts =
    batch.facts === undefined ? { new: 0, present: 0 } : await importFacts(parts, scope, batch.facts, dryRun)
  if (batch.session === undefined || batch.messages === undefined)
    return { messages: { new: 0, present: 0 }, changed: [], facts }
  const address = { scope, session: batch.session }
  return { ...(await importMessages(parts, address, { ...batch, messages: batch.messages }, dryRun)), facts }
}

const NEW: ReadonlySet<RememberedFact['outcome']> = new Set(['added', 'restored', 'disputed'])

async function importFacts(
  { knowledge, work, redactor }: ArchiveWiring,
  scope: string,
  facts: readonly NewFact[],
  dryRun: boolean,
): Promise<ImportedBatch['facts']> {
  const given = parseFacts(facts)
  const copies = facts.map((fact) => copyPlain(fact) as NewFact)
  const parsed = redactor.fact === undefined ? given : parseFacts(await redactFacts(redactor, copies))
  const { remember } = await import('../knowledge/remember.ts')
  const { rehearse } = await import('../knowledge/rehearse.ts')
  const outcomes = dryRun
    ? await rehearse(knowledge, scope, parsed, 'import')
    : (await work.begin(remember(knowledge, scope, parsed, 'import'))).map(({ outcome }) => outcome)
  const fresh = outcomes.filter((outcome) => NEW.has(outcome)).length
  return { new: fresh, present: outcomes.length - fresh }
}

async function importMessages(
  parts: ArchiveWiring,
  address: Address,
  batch: ImportBatch & { readonly messages: Messages },
  dryRun: boolean,
): Promise<Omit<ImportedBatch, 'facts'>> {
  const { from, messages } = batch
  const { store, log, work, runner } = parts
  const exists = (await openView(store.log, address)) !== undefined
  const trunk = exists || from === undefined ? undefined : { scope: address.scope, session: from.session }
  if ((exists && !(await isImported(parts, address))) || (trunk !== undefined && (await isCut(parts, trunk, from))))
    return { messages: { new: 0, present: 0 }, changed: [], refused: true }
  const { missing, changed } = exists ? await compare(parts, address, messages) : { missing: messages, changed: [] }
  // Another conversation that happens to have the name: what of it fits would make one that nobody held.
  if (changed.length > 0 && changed.length + missing.length === messages.length)
    return { messages: { new: 0, present: 0 }, changed: [], refused: true }
  const gone = await forgottenAmong(
    log,
    address,
    missing.map(({ id }) => id),
  )
  const fresh = missing.filter(({ id }) => !gone.has(id))
  const counts = { new: fresh.length, present: messages.length - missing.length - changed.length }
  if (!dryRun && fresh.length > 0) {
    // Another import of the same was faster: what it stored is looked at, and only the rest is brought.
    if (!exists && from !== undefined && !(await work.begin(branch(parts, address, from))))
      return importMessages(parts, address, batch, dryRun)
    await work.begin(append(log, address, fresh, { imported: true }))
    runner.nudge({ scope: address.scope, subject: address.session })
    parts.posting.soon(address.scope)
  }
  return { messages: counts, changed, ...(gone.size === 0 ? {} : { forgotten: [...gone] }) }
}

/** The message after which a branch leaves was forgotten: where it left is no longer known. */
async function isCut(
  { store, log }: ArchiveWiring,
  trunk: Address,
  { after }: Pick<NonNullable<ImportBatch['from']>, 'after'> = { after: null },
): Promise<boolean> {
  if (after === null || (await get(store.log, trunk, after)) !== undefined) return false
  return (await forgottenAmong(log, trunk, [after])).size > 0
}

/** A conversation that was held here stays what it was: nobody who reads it later could tell the foreign words from its own. */
async function isImported({ store }: ArchiveWiring, address: Address): Promise<boolean> {
  const [first] = await history(store.log, address, { after: 0, limit: 1 })
  return first === undefined || first.imported === true
}

async function compare(
  { store, log }: ArchiveWiring,
  address: Address,
  messages: Messages,
): Promise<{ readonly missing: Messages; readonly changed: readonly string[] }> {
  const missing: Messages[number][] = []
  const changed: string[] = []
  for (const message of messages) {
    const stored = await get(store.log, address, message.id)
    if (stored === undefined) missing.push(message)
    // Who revised it here wanted it so.
    else if (stored.revision === 0 && !(await says(log, stored.parts, message))) changed.push(message.id)
  }
  return { missing, changed }
}

/** Stored as it would be now, or as it was given: what is kept from the log may have been decided since. */
async function says(log: Log, stored: readonly Part[], message: Messages[number]): Promise<boolean> {
  const known = JSON.stringify(stored)
  if (known === JSON.stringify(parseMessage('import a batch', 'message', message).parts)) return true
  const parts = await partsToStore(log, 'import a batch', message)
  return withoutLengths({ parts }, { parts: stored }) === writeBody({ parts: stored })
}

/** `false` if the session is there already. */
async function branch(
  { log, store }: ArchiveWiring,
  { scope, session }: Address,
  { session: trunk, after }: NonNullable<ImportBatch['from']>,
): Promise<boolean> {
  const address = { scope, session: trunk }
  const last = after === null ? undefined : await get(store.log, address, after)
  if (after !== null && last === undefined)
    throw new MemoryError(
      'log/not-found',
      `Cannot import session ${JSON.stringify(session)}: ${JSON.stringify(trunk)} has no message ${JSON.stringify(after)}, expected the one after which it branches`,
      { session, from: trunk, after },
    )
  try {
    await fork(log, address, session, { at: last?.seq ?? 0 })
    return true
  } catch (error) {
    if (MemoryError.is(error, 'log/exists')) return false
    throw error
  }
}
