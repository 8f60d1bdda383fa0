import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { Moment } from '../domain/moment.ts'
import type { Component, Components } from './component.ts'
import type { StateChange, StateEntry, StateSnapshot } from './entry.ts'
import type { NewNote, Note, NoteChange, NotesOptions } from './note.ts'
import type { Task } from './task.ts'

export interface StateAsOf {
  /** As it was then: a time, or a version of the state. */
  readonly asOf?: Moment
}

export interface Expecting {
  /** Change only what still has this version; 0 for only where there is nothing. @default whatever is there */
  readonly expected?: number
}

/** The tasks of a session. Those that ended leave the list 24 hours after their last change; the history keeps them. */
export interface Tasks {
  list(): Promise<readonly Task[]>
  /** @throws {MemoryError} `state/conflict` if there is a task of that id. */
  add(task: {
    readonly description: string
    readonly id?: string
    readonly status?: 'Pending' | 'Running'
  }): Promise<Task>
  /** How far it is, 0 to 1: it runs then. */
  progress(id: string, progress: number): Promise<Task>
  finish(id: string): Promise<Task>
  fail(id: string, reason?: string): Promise<Task>
  cancel(id: string, reason?: string): Promise<Task>
}

/** The agent's scratchpad. */
export interface Notes {
  /** Oldest first. */
  list(options?: NotesOptions): Promise<readonly Note[]>
  search(text: string, options?: Omit<NotesOptions, 'text'>): Promise<readonly Note[]>
  add(note: NewNote | string): Promise<Note>
  update(id: string, change: NoteChange): Promise<Note>
  done(id: string): Promise<Note>
  /** `false` if there is none. The history keeps it. */
  delete(id: string): Promise<boolean>
}

/** The working document of a session: values by key, each with every version it had. */
export interface SessionState {
  /** All values by key; or one, `undefined` if there is none. */
  get(): Promise<JSONObject>
  get(key: string, options?: StateAsOf): Promise<JSONValue | undefined>
  /** A value with its version. */
  entry(key: string, options?: StateAsOf): Promise<StateEntry | undefined>
  /** Everything at one version. */
  snapshot(options?: StateAsOf): Promise<StateSnapshot>
  /** @throws {MemoryError} `state/conflict` if it has not the version that was expected. */
  set(key: string, value: JSONValue, options?: Expecting): Promise<StateEntry>
  /** Sets what `change` makes of the value; called again when somebody else was faster, so it must only compute. */
  update(key: string, change: (value: JSONValue | undefined) => JSONValue | Promise<JSONValue>): Promise<StateEntry>
  /** `false` if there is nothing. The history keeps what was there. */
  delete(key: string, options?: Expecting): Promise<boolean>
  /** Every change of a key, newest first. `before` is a version: the last of a page is the `before` of the next. */
  history(key: string, options?: { readonly limit?: number; readonly before?: number }): Promise<readonly StateChange[]>
  readonly tasks: Tasks
  readonly notes: Notes
  /** Parts of a program that are put away and taken out together. */
  components(parts: Readonly<Record<string, Component>>): Components
}
