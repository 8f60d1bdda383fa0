import type { Draft } from '../domain/message.ts'
import type { JSONValue } from '../domain/json.ts'
import type { RepairAction } from './change.ts'
import type { LintOptions } from './options.ts'
import type { TranscriptPath, Violation } from './violation.ts'

/** Collects what a dialect's linter finds; severities come from the table of rules. */
export interface Report {
  readonly violations: readonly Violation[]
  readonly options: LintOptions
  (rule: string, path: TranscriptPath, message: string, grade?: 'unconfirmed' | 'warning'): void
}

/** Remembers which wire blocks the drafts came from, so that a repair can name them and reuse what was fine. */
export interface TranscriptReading {
  /** `convert` keeps blocks it cannot read as data; `repair` leaves malformed ones out. */
  readonly keepMalformed: boolean
  /** Says where a part or draft was read from. Returns it. */
  readonly at: <T extends object>(value: T, path: TranscriptPath) => T
  /** Says that these drafts, and only these, are these wire messages. */
  readonly unit: (drafts: readonly Draft[], wire: readonly JSONValue[], ...paths: readonly TranscriptPath[]) => void
}

export interface Writing {
  readonly blobs: ReadonlyMap<string, Uint8Array>
  readonly options: LintOptions
  /** The result is a bare array of messages: there is no place beside it for system text. */
  readonly bare: boolean
  /** The wire messages these drafts were read from, if nothing about them had to change. */
  readonly verbatim: (drafts: readonly Draft[]) => readonly JSONValue[] | undefined
  readonly note: (rule: string, action: RepairAction, at: object | undefined, message: string) => void
}

/** One dialect: three pure functions. */
export interface Codec<Wire> {
  /** What the top level must look like, for error messages. */
  readonly wanted: string
  /** Where messages and system text stand, in dialects whose transcript is an object. */
  readonly keys?: { readonly messages: string; readonly system: readonly string[] }
  /** The messages of a transcript that `lint` found clean. */
  readonly list: (wire: unknown) => readonly JSONValue[] | undefined
  readonly lint: (wire: unknown, report: Report) => void
  /** Nothing, when the top level is not of this dialect. Never throws. */
  readonly read: (wire: unknown, reading: TranscriptReading) => readonly Draft[] | undefined
  /** Calls at the end that need no result yet, because the host will run them. */
  readonly awaited?: (drafts: readonly Draft[]) => ReadonlySet<string>
  readonly write: (drafts: readonly Draft[], writing: Writing) => Wire
}
