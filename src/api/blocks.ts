import type { JSONObject } from '../domain/json.ts'
import type { Channel, Trust } from '../domain/trust.ts'
import type { Expecting } from './state.ts'

/** A named text that is in every context, after the system text. */
export interface Block {
  /** Its name, for example `persona` or `user`. */
  readonly name: string
  /** The text; JSON if the block has a schema. */
  readonly text: string
  /** How many tokens the text has. */
  readonly tokens: number
  /** How many tokens the text may have. */
  readonly limit: number
  /** What the block is for. Models see it above the text. */
  readonly description?: string
  /** The JSON Schema that the text fits. */
  readonly schema?: JSONObject
  /** Where the text comes from, if it is derived. */
  readonly derivedFrom?: 'facts'
  /** Of a derived block: what each line comes from. */
  readonly sources?: readonly BlockSource[]
  /** The trust of its least trusted line. Lines below 3 are shown to models as quoted data. */
  readonly trust: Trust
  /** Its version. Pass it as `expected` to change only what you have read. */
  readonly version: number
  /** When it was changed. */
  readonly at: string
  /** The scope that has it: the one that was asked, or an ancestor. */
  readonly scope: string
  /** The session that has it; missing if it belongs to the scope. */
  readonly session?: string
}

/** What a line of a derived block comes from. */
export interface BlockSource {
  /** Which line, counted from 0. */
  readonly line: number
  /** Ids of the facts. */
  readonly facts: readonly string[]
  /** The messages that taught them, as far as messages did. */
  readonly messages: readonly { readonly session: string; readonly id: string }[]
}

/** What a block is set to. What is left out stays as it is. */
export interface BlockSettings {
  /** The text; JSON if the block has a schema. @default '' in a new block */
  readonly text?: string
  /** What the block is for; `null` removes it. */
  readonly description?: string | null
  /** How many tokens the text may have. @default 2,000 in a new block */
  readonly limit?: number
  /** A JSON Schema for the text, which is JSON then; `null` removes it. */
  readonly schema?: JSONObject | null
  /** `facts` derives the text from the facts of the scope that looks at it, in plain sentences; `null` ends that. */
  readonly derivedFrom?: 'facts' | null
}

/** Puts a line at the end of the text. */
export interface BlockAppend {
  /** Text to add at the end, on its own line. */
  readonly append: string
}

/** Replaces a text that occurs exactly once. */
export interface BlockReplace {
  /** The text to replace. It must occur exactly once. */
  readonly replace: string
  /** What to put in its place. */
  readonly with: string
}

/** Changes some fields of a block that has a schema, and keeps the others. */
export interface BlockMerge {
  /** The fields to change, as a JSON merge patch: `null` removes a field, objects are merged. */
  readonly merge: JSONObject
}

/** A change of a part of a block. */
export type BlockEdit = BlockAppend | BlockReplace | BlockMerge

/** How to write a block. */
export interface BlockWriteOptions extends Expecting {
  /** Who the words come from. Only those of the operator are shown to models as they are; others are quoted data. @default 'operator' */
  readonly channel?: Channel
}

/** One change of a block. */
export interface BlockChange {
  /** The name of the block. */
  readonly name: string
  /** The version that the change made. */
  readonly version: number
  /** When it was changed. */
  readonly at: string
  /** The text; missing if the change deleted the block. */
  readonly text?: string
  /** How many tokens the text has. */
  readonly tokens?: number
  /** How many tokens the text may have. */
  readonly limit?: number
  /** What the block is for. */
  readonly description?: string
  /** The JSON Schema that the text fits. */
  readonly schema?: JSONObject
  /** Where the text comes from, if it is derived. */
  readonly derivedFrom?: 'facts'
}

/** Which changes of a block to list. */
export interface BlockHistoryOptions {
  /** At most this many changes. @default 100 */
  readonly limit?: number
  /** Only changes before this version: the last one of the page before. */
  readonly before?: number
}

/**
 * Named texts that are in every context. A scope inherits the blocks of its ancestors, a session those of its scope; one of the
 * same name takes their place. Writes are about the own blocks only.
 */
export interface Blocks {
  /** All blocks as a context shows them, inherited ones included: first those of the root, last those of the session. */
  list(): Promise<readonly Block[]>
  /** A block, own or inherited; `undefined` if there is none. */
  get(name: string): Promise<Block | undefined>
  /**
   * Sets a block, or makes one. A string sets its text and leaves the rest as it is.
   *
   * @throws {MemoryError} `state/conflict` if it does not have the expected version, `state/refused` if the text is over its limit or
   * not of its schema.
   */
  set(name: string, block: string | BlockSettings, options?: BlockWriteOptions): Promise<Block>
  /**
   * Changes a part of an own block: appends a line, replaces a text that occurs exactly once, or merges fields into JSON.
   *
   * @throws {MemoryError} `state/not-found` if there is no own block, `state/refused` if the text to replace is not there exactly once, or the
   * text would be over its limit.
   */
  edit(name: string, edit: BlockEdit, options?: BlockWriteOptions): Promise<Block>
  /** Takes back the last change of an own block that was not taken back yet. Returns the block; `undefined` if there was none before. */
  undo(name: string, options?: Expecting): Promise<Block | undefined>
  /** Deletes an own block. `false` if there is none. The history keeps it, and an inherited one shows again. */
  delete(name: string, options?: Expecting): Promise<boolean>
  /** The changes of an own block, newest first. */
  history(name: string, options?: BlockHistoryOptions): Promise<readonly BlockChange[]>
}
