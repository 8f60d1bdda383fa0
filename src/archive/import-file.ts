import { withPauses } from '../log/with-pauses.ts'
import { defined } from '../domain/defined.ts'
import type {
  ImportBatch,
  ImportBatchOptions,
  ImportLocation,
  ImportOptions,
  ImportReport,
  ImportedBatch,
} from '../api/imports.ts'
import { MemoryError } from '../domain/error.ts'
import { quote } from '../domain/refuse.ts'
import { type NewFact, parseFacts } from '../domain/new-fact.ts'
import type { NewMessage } from '../domain/new-message.ts'
import type { ImportedConversation } from './importers/imported-item.ts'
import { type PlannedSession, sessionsOf } from './importers/sessions-of.ts'
import { isArchive } from './is-archive.ts'
import { ReportBuilder } from './report.ts'
import { readSource } from './read-source.ts'
import { importLimits } from './source/limits.ts'

/** Where an import goes: somewhere that stamps all of it as imported. */
export interface ImportTarget {
  /** What one message may have, in the log and on the way to it. */
  readonly messageBytesMax: number
  readonly importBatch: (batch: ImportBatch, options?: ImportBatchOptions) => Promise<ImportedBatch>
}

/** What fits a request to a server, with room to spare. */
const BATCH_MESSAGES = 200
const BATCH_BYTES = 1024 * 1024
const BATCH_FACTS = 200

/** Reads what a path holds and brings it in, conversation by conversation: what ends it in the middle is made up for by doing it again. */
export async function importFile(target: ImportTarget, path: string, options: ImportOptions): Promise<ImportReport> {
  const limits = { ...importLimits, ...options.limits }
  const { format, mapping, session, dryRun = false, onProgress } = options
  if (format === undefined && mapping === undefined && (await isArchive(path)))
    throw new MemoryError(
      'input/invalid',
      `Cannot import ${quote(path)}: it is a Daybook archive. Use memory.import(createReadStream(path)) or importFromFile`,
      { path },
    )
  const report = new ReportBuilder()
  const facts = new FactBatch(target, report, dryRun)
  let bytes = 0
  for await (const read of readSource(path, {
    limits,
    messageBytesMax: target.messageBytesMax,
    onBytes: (soFar) => (bytes = soFar),
    ...defined({ format, mapping, session }),
  })) {
    switch (read.type) {
      case 'file':
        await facts.flush()
        report.file({ file: read.file, format: read.format, records: read.records })
        break
      case 'pause':
        break
      case 'skipped':
        report.skip(read.skipped)
        break
      case 'fact':
        if (read.user !== undefined) report.users.add(read.user)
        await facts.add(read.fact, read.place)
        break
      case 'conversation': {
        await importConversation(target, read.conversation, read.format ?? 'unknown', { report, dryRun })
        const { conversations } = report.counts
        const { new: fresh, present } = report.messages
        onProgress?.({ file: read.conversation.place.file, conversations, messages: fresh + present, bytes })
      }
    }
  }
  await facts.flush()
  return report.done(dryRun)
}

async function importConversation(
  target: ImportTarget,
  conversation: ImportedConversation,
  format: string,
  { report, dryRun }: { readonly report: ReportBuilder; readonly dryRun: boolean },
): Promise<void> {
  const { sessions, skipped } = await withPauses(sessionsOf(conversation, format, target.messageBytesMax))
  for (const one of skipped) report.skip(one)
  if (sessions.length === 0) return
  const refused = new Set<string>()
  for (const session of sessions) {
    // Without its trunk a branch is not what was said.
    if (session.from !== undefined && refused.has(session.from.session)) refused.add(session.id)
    else if (!(await importSession(target, session, { report, dryRun, place: conversation.place })))
      refused.add(session.id)
  }
  if (refused.size < sessions.length) report.counts.conversations += 1
}

async function importSession(
  target: ImportTarget,
  { id, title, from, messages }: PlannedSession,
  {
    report,
    dryRun,
    place,
  }: { readonly report: ReportBuilder; readonly dryRun: boolean; readonly place: ImportLocation },
): Promise<boolean> {
  for (const batch of batches(messages)) {
    const {
      messages: counts,
      changed,
      forgotten = [],
      refused,
    } = await target.importBatch({ session: id, messages: batch, ...defined({ from }) }, { dryRun })
    if (refused === true) {
      const message = `session ${JSON.stringify(id)} has the same id as another conversation in this memory, or continues one that was forgotten`
      report.skip({ place: { ...place, id }, reason: 'session-taken', message })
      return false
    }
    report.messages.new += counts.new
    report.messages.present += counts.present
    report.messages.changed += changed.length
    for (const one of changed)
      report.skip({
        place: { ...place, id: one },
        reason: 'stored-otherwise',
        message: `a message of session ${JSON.stringify(id)} that is stored here with other content`,
      })
    for (const one of forgotten)
      report.skip({
        place: { ...place, id: one },
        reason: 'forgotten',
        message: `a message of session ${JSON.stringify(id)} that was forgotten here`,
      })
  }
  report.session({
    session: id,
    messages: messages.length,
    ...defined({ title, from: from?.session }),
  })
  return true
}

function* batches<Message extends NewMessage>(messages: readonly Message[]): Generator<readonly Message[], undefined> {
  let batch: Message[] = []
  let bytes = 0
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message))
    if (batch.length >= BATCH_MESSAGES || (batch.length > 0 && bytes + size > BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(message)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

/** Facts on their way, each once. */
class FactBatch {
  readonly #target: ImportTarget
  readonly #report: ReportBuilder
  readonly #dryRun: boolean
  readonly #seen = new Set<string>()
  #facts: NewFact[] = []

  constructor(target: ImportTarget, report: ReportBuilder, dryRun: boolean) {
    this.#target = target
    this.#report = report
    this.#dryRun = dryRun
  }

  async add(fact: NewFact, place: ImportLocation): Promise<void> {
    try {
      parseFacts(fact)
    } catch (error) {
      if (!MemoryError.is(error)) throw error
      this.#report.skip({ place, reason: 'wrong-type', message: error.message })
      return
    }
    const said = JSON.stringify(fact)
    if (this.#seen.has(said)) {
      this.#report.skip({ place, reason: 'duplicate-id', message: 'a duplicate' })
      return
    }
    this.#seen.add(said)
    this.#facts.push(fact)
    if (this.#facts.length >= BATCH_FACTS) await this.flush()
  }

  async flush(): Promise<void> {
    if (this.#facts.length === 0) return
    const facts = this.#facts
    this.#facts = []
    const { facts: counts } = await this.#target.importBatch({ facts }, { dryRun: this.#dryRun })
    this.#report.facts.new += counts.new
    this.#report.facts.present += counts.present
  }
}
