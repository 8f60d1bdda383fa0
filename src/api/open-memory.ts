import type { KeySource } from '../domain/key-source.ts'
import type { PromptName } from '../domain/prompt-name.ts'
import type { TokenizerName } from '../domain/tokenizer-name.ts'
import type { Clock } from '../ports/clock.ts'
import type { Tokenizer } from '../ports/tokenizer.ts'
import type { EmbedderInput } from '../providers/embedder.ts'
import type { LanguageModelInput } from '../providers/language-model.ts'
import type { Emit } from './events.ts'
import type { PostgresOptions } from './postgres.ts'
import type { Redactor } from './redactor.ts'

/** How a memory is opened. */
export interface MemoryOptions {
  /**
   * What counts the tokens that are stored with each message: a fast estimate that is rather too high than too low, an exact
   * public tokenizer (loaded when chosen, about 0.2 s), or your own.
   *
   * @default 'estimate'
   */
  readonly tokenizer?: TokenizerName | Tokenizer
  /** Directories from which images and files may be read by path. Relative paths start at the first. @default none */
  readonly fileRoots?: readonly string[]
  /** How large one message may be, with its images and files, in bytes. @default 16 MiB */
  readonly messageBytesMax?: number
  /**
   * How long `recall` waits, in milliseconds, for messages that are not in its index yet. What is not there by then is reported as
   * `behind` and can be found later.
   *
   * @default 50
   */
  readonly recallWaitMs?: number
  /**
   * A model that writes better summaries than the built-in ones: an AI SDK model (v2 to v4) or a function. Everything works
   * without one.
   *
   * @default none
   */
  readonly model?: LanguageModelInput
  /** How the model is used for summaries. */
  readonly summaries?: SummaryOptions
  /**
   * How facts are learned from messages, in the background: by patterns, by a model (the one above, or another), or not at all.
   *
   * @default 'patterns'
   */
  readonly learn?: 'patterns' | 'model' | false | LearnOptions
  /**
   * Finds by meaning too: an AI SDK embedding model (v2 to v4) or a function. After a change of model, put the former one after
   * the new one: it is used until everything is embedded again.
   *
   * @default none
   */
  readonly embedder?: EmbedderInput | readonly EmbedderInput[]
  /** How the embedder is used. */
  readonly embedding?: EmbeddingOptions
  /**
   * Correct token estimates by the usage that callers report with `session.usage`. `false` ignores the reports, for a memory
   * whose callers you do not trust.
   *
   * @default true
   */
  readonly calibrate?: boolean
  /**
   * Let only the owner read and write the files of the memory, if others may. Without it, such a file is reported with a
   * `store-warning`.
   *
   * @default false
   */
  readonly tightenMode?: boolean
  /**
   * Read a file that must not change, or one on a read-only medium. Every change fails with `store/read-only`; no background work
   * runs, and `recall` finds what is indexed. If SQLite cannot read the file in place, or an older version wrote it, a copy in the
   * temporary folder is read. For files only.
   *
   * @default false
   */
  readonly readOnly?: boolean
  /**
   * Sees every new message, fact and value of a state before any of it is stored, and may change or refuse it. `'secrets'`
   * removes keys, tokens and passwords from texts, by patterns that rarely match anything else.
   *
   * @default none
   */
  readonly redact?: 'secrets' | Redactor
  /** Encrypts what is on the disk. @default nothing */
  readonly encryption?: EncryptionOptions
  /** Called for compactions and background work: before, after, and what each step did. */
  readonly onEvent?: Emit
  /** The clock. @default the system's */
  readonly clock?: Clock
  /** How the PostgreSQL server is used, for `postgres://` addresses only. */
  readonly postgres?: PostgresOptions
  /** A key that the server made, for `http://` and `https://` addresses only. */
  readonly key?: string
}

/** How a model is used for summaries. */
export interface SummaryOptions {
  /** How long a compaction waits for the model in total, in milliseconds. @default 10,000 */
  readonly deadlineMs?: number
  /** At most this many calls per hour. @default no limit */
  readonly callsPerHourMax?: number
  /** At most this many tokens per hour, in and out. @default no limit */
  readonly tokensPerHourMax?: number
  /** Your own instructions for a kind of summary. Blank or `null` keeps ours. */
  readonly prompts?: PromptTasks
  /** Stops using the model permanently. */
  readonly signal?: AbortSignal
}

/** Your own instructions by kind of summary. Blank or `null` keeps ours. */
export type PromptTasks = { readonly [Name in PromptName]?: string | null }

/**
 * How a model is used for learning. While it is not available (no response in time, an outage, too many calls), the messages wait
 * for about two hours and it is called again. Then, and if its responses are of no use, patterns are used.
 */
export interface LearnOptions {
  /** The model. @default the memory's own */
  readonly model?: LanguageModelInput
  /** How long the model may take for up to 64 messages of one role, in milliseconds. No call waits for it. @default 60,000 */
  readonly deadlineMs?: number
  /** At most this many calls per hour. Each process counts its own, from 0 when it starts. @default no limit */
  readonly callsPerHourMax?: number
  /** At most this many tokens per hour, in and out, counted in the same way. @default no limit */
  readonly tokensPerHourMax?: number
}

/** How an embedder is used. */
export interface EmbeddingOptions {
  /** How many texts one call has. @default 64 */
  readonly batch?: number
  /** How long one call may take in the background, in milliseconds. @default 30,000 */
  readonly deadlineMs?: number
  /** At most this many calls per hour. @default no limit */
  readonly callsPerHourMax?: number
  /** At most this many tokens per hour. @default no limit */
  readonly tokensPerHourMax?: number
}

/** What is encrypted on the disk, and with which keys. See `docs/encryption.md` for what each protects and costs. */
export interface EncryptionOptions {
  /**
   * Encrypts the whole SQLite file, its write-ahead log and its backups. Everything works as before. It needs the package
   * `better-sqlite3-multiple-ciphers`. A file has its key from the start.
   *
   * @default none
   */
  readonly file?: KeySource
  /**
   * Encrypts the messages of sessions and their state, with a data key for each session that this master key wraps.
   * `forget({ session })` destroys the data key, so that old backups cannot be read either. What is encrypted is not found by
   * `recall`, and no facts are learned from it.
   *
   * @default none
   */
  readonly content?: KeySource
  /** The master key before this one. What it wrapped is wrapped again, once, when the memory is opened. @default none */
  readonly former?: KeySource
  /**
   * The file that has the data keys. It is never part of a backup, and without it nothing that is encrypted can be read.
   *
   * @default the memory's file name with `.keys` appended; required on PostgreSQL
   */
  readonly keys?: string
}
