import type { ImportReport, Skipped } from '../api/imports.ts'
import { quote } from '../domain/refuse.ts'
import type { SkipReason } from '../domain/skip-reason.ts'

const FILES_LISTED_MAX = 200
const SESSIONS_LISTED_MAX = 200
const SKIPPED_LISTED_MAX = 200
const USERS_NAMED_MAX = 3

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/** Gathers a report. Lists are cut, counts are not: a file of a million faults must not become a report of a million. */
export class ReportBuilder {
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
  /** Whose facts they are, as the files say. */
  readonly users: Set<string> = new Set()

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
      ...(this.users.size > 1 ? { warnings: [severalUsers(this.users)] } : {}),
    }
  }
}

function severalUsers(users: ReadonlySet<string>): string {
  const named = [...users].slice(0, USERS_NAMED_MAX).map((user) => quote(user))
  const names = [...named, ...(users.size > named.length ? [`${users.size - named.length} more`] : [])].join(', ')
  return `Memories of ${users.size} users go into one scope (${names}): to keep users apart, import each into a scope of its own`
}
