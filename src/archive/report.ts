import type { Skipped, SkipReason } from './importers/imported-item.ts'
import type { ImportFormat } from './importers/format.ts'

const FILES_LISTED_MAX = 200
const SESSIONS_LISTED_MAX = 200
const SKIPPED_LISTED_MAX = 200

/** What an import brings in, or would: a dry run of it says the same. */
export interface ImportReport {
  readonly dryRun: boolean
  /** The first files with what they were read as; null for those of no format we know. */
  readonly files: readonly { readonly file: string; readonly format: ImportFormat | null; readonly records: number }[]
  readonly fileCount: number
  readonly conversations: number
  /** The first sessions; `from` for branches. */
  readonly sessions: readonly {
    readonly session: string
    readonly messages: number
    readonly title?: string
    readonly from?: string
  }[]
  readonly sessionCount: number
  /** How many of the sessions are branches of others. */
  readonly branchCount: number
  /** `present` were here already; `changed` are here under the same id with other content, and stay as they are. */
  readonly messages: { readonly new: number; readonly present: number; readonly changed: number }
  readonly facts: { readonly new: number; readonly present: number }
  /** The first of what does not come in, or not whole. */
  readonly skipped: readonly Skipped[]
  /** How many of all, by reason. */
  readonly skippedCount: Readonly<Partial<Record<SkipReason, number>>>
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** Gathers a report. Lists are cut, counts are not: a file of a million faults must not become a report of a million. */
export class ReportDraft {
  readonly #files: ImportReport['files'][number][] = []
  readonly #sessions: ImportReport['sessions'][number][] = []
  readonly #skipped: Skipped[] = []
  readonly #reasons = new Map<SkipReason, number>()
  readonly counts: Mutable<Pick<ImportReport, 'fileCount' | 'conversations' | 'sessionCount' | 'branchCount'>> = {
    fileCount: 0,
    conversations: 0,
    sessionCount: 0,
    branchCount: 0,
  }
  readonly messages: Mutable<ImportReport['messages']> = { new: 0, present: 0, changed: 0 }
  readonly facts: Mutable<ImportReport['facts']> = { new: 0, present: 0 }

  file(file: ImportReport['files'][number]): void {
    this.counts.fileCount += 1
    if (this.#files.length < FILES_LISTED_MAX) this.#files.push(file)
  }

  session(session: ImportReport['sessions'][number]): void {
    this.counts.sessionCount += 1
    if (session.from !== undefined) this.counts.branchCount += 1
    if (this.#sessions.length < SESSIONS_LISTED_MAX) this.#sessions.push(session)
  }

  skip(skipped: Skipped): void {
    this.#reasons.set(skipped.reason, (this.#reasons.get(skipped.reason) ?? 0) + 1)
    if (this.#skipped.length < SKIPPED_LISTED_MAX) this.#skipped.push(skipped)
  }

  done(dryRun: boolean): ImportReport {
    return {
      dryRun,
      files: this.#files,
      ...this.counts,
      sessions: this.#sessions,
      messages: this.messages,
      facts: this.facts,
      skipped: this.#skipped,
      skippedCount: Object.fromEntries([...this.#reasons].toSorted()),
    }
  }
}
