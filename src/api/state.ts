import type { JSONObject, JSONValue } from '../domain/json.ts'
import type { Moment } from '../domain/moment.ts'
import type { TaskStatus } from '../domain/task-status.ts'

/** A value of the state, and the version that it has. */
export interface StateEntry {
  /** Its key. */
  readonly key: string
  /** The value. */
  readonly value: JSONValue
  /** The version of the state that set it. Pass it as `expected` to change only what you have read. */
  readonly version: number
  /** When it was set. */
  readonly at: string
}

/** One change of a key. */
export interface StateChange {
  /** Its key. */
  readonly key: string
  /** The value; missing if the change deleted it. */
  readonly value?: JSONValue
  /** The version of the state that the change made. */
  readonly version: number
  /** When it was changed. */
  readonly at: string
}

/** All values of a session at one version. */
export interface StateSnapshot {
  /** The version of the state. */
  readonly version: number
  /** The values, sorted by key. */
  readonly entries: readonly StateEntry[]
}

/** When to read the state. */
export interface StateAsOf {
  /** As it was then: a time, or a version of the state. */
  readonly asOf?: Moment
}

/** What a change expects to find. */
export interface Expecting {
  /** Change it only if it still has this version; 0 if there must be no value. @default whatever is there */
  readonly expected?: number
}

/** Which changes of a key to list. */
export interface StateHistoryOptions {
  /** At most this many changes. @default 100 */
  readonly limit?: number
  /** Only changes before this version: the last one of the page before. */
  readonly before?: number
}

/** A task of a session. Times are in seconds since 1970, as in the session's document. */
export interface Task {
  /** Its id. */
  readonly id: string
  /** What is to be done. */
  readonly description: string
  /** Whether it waits, runs or has ended, and how. */
  readonly status: TaskStatus
  /** How much of it is done, from 0 to 1. */
  readonly progress: number
  /** When it was added, in seconds since 1970. */
  readonly created_at: number
  /** When it last changed, in seconds since 1970. */
  readonly updated_at: number
  /** Why it failed or was cancelled. */
  readonly reason?: string
}

/** A task to add. */
export interface NewTask {
  /** What is to be done. */
  readonly description: string
  /** Its id. @default a new one */
  readonly id?: string
  /** Whether work on it has begun. @default 'Pending' */
  readonly status?: 'Pending' | 'Running'
}

/** How far a task is. */
export interface TaskProgress {
  /** How much of it is done, from 0 to 1. The task is running then. */
  readonly progress: number
}

/** How a task ended. */
export interface TaskEnd {
  /** How it ended. */
  readonly status: 'Completed' | 'Failed' | 'Cancelled'
  /** Why it failed or was cancelled. */
  readonly reason?: string
}

/** The tasks of a session. A task that ended leaves the list 24 hours after its last change; the history keeps it. */
export interface Tasks {
  /** The tasks, oldest first. */
  list(): Promise<readonly Task[]>
  /** Adds a task. @throws {MemoryError} `state/conflict` if there is a task with that id. */
  add(task: NewTask): Promise<Task>
  /** Sets the progress of a task, or how it ended. @throws {MemoryError} `state/not-found` */
  update(id: string, change: TaskProgress | TaskEnd): Promise<Task>
  /** Sets how much of it is done, from 0 to 1. The task is running then. */
  progress(id: string, progress: number): Promise<Task>
  /** Marks it as completed. */
  finish(id: string): Promise<Task>
  /** Marks it as failed. */
  fail(id: string, reason?: string): Promise<Task>
  /** Marks it as cancelled. */
  cancel(id: string, reason?: string): Promise<Task>
}

/** A note on the agent's scratchpad. */
export interface Note {
  /** Its id. */
  readonly id: string
  /** The note. */
  readonly text: string
  /** Words to find it by. */
  readonly tags: readonly string[]
  /** Whether it is done. */
  readonly done: boolean
  /** When it was added. */
  readonly createdAt: string
  /** When it last changed. */
  readonly updatedAt: string
}

/** A note to add. */
export interface NewNote {
  /** The note. */
  readonly text: string
  /** Words to find it by, at most 32. */
  readonly tags?: readonly string[]
  /** Its id. @default a new one */
  readonly id?: string
  /** Whether it is done. @default false */
  readonly done?: boolean
  /** When it was written, for a note from elsewhere. @default now */
  readonly createdAt?: string
  /** When it last changed, for a note from elsewhere. @default when it was written */
  readonly updatedAt?: string
}

/** What to change about a note. */
export interface NoteChange {
  /** The note from now on. */
  readonly text?: string
  /** Its tags from now on. */
  readonly tags?: readonly string[]
  /** Whether it is done. */
  readonly done?: boolean
  /** Change it only if it was last changed at this time: the `updatedAt` that you have read. @default whatever is there */
  readonly expected?: string
}

/** Which notes to list. */
export interface NotesOptions {
  /** Only notes with this tag. */
  readonly tag?: string
  /** Only notes that contain this text, in any case. */
  readonly text?: string
  /** Only notes that are done, or only those that are not. @default both */
  readonly done?: boolean
}

/** The agent's scratchpad. */
export interface Notes {
  /** The notes, oldest first. */
  list(options?: NotesOptions): Promise<readonly Note[]>
  /** The notes that contain a text, in any case, oldest first. */
  search(text: string, options?: Omit<NotesOptions, 'text'>): Promise<readonly Note[]>
  /** Adds a note. @throws {MemoryError} `state/conflict` if there is a note with that id. */
  add(note: NewNote | string): Promise<Note>
  /** Changes a note. @throws {MemoryError} `state/not-found`; `state/conflict` if it was changed since the expected time. */
  update(id: string, change: NoteChange): Promise<Note>
  /** Marks a note as done. */
  done(id: string): Promise<Note>
  /** Deletes a note. `false` if there is none. The history keeps it. */
  delete(id: string): Promise<boolean>
}

/** How often tools were called in a session. */
export interface ToolStats {
  /** Calls of all tools. */
  readonly total_calls: number
  /** Calls by the name of the tool. */
  readonly by_tool: Readonly<Record<string, number>>
  /** Calls that failed, were refused or were interrupted. */
  readonly failures: number
}

/** A part of a program that can be saved and loaded again. */
export interface Component {
  /** Its state as JSON. */
  save(): JSONValue
  /** Checks what was saved without changing anything, and throws if it does not fit. Returns a function that puts it in place. */
  prepare(value: JSONValue): () => void
}

/** Components that are saved and loaded together, under a key. */
export interface Components {
  /** Saves all components. */
  saveTo(key: string): Promise<void>
  /** Saves all components over what is there. `false` if there is nothing. */
  saveIfExists(key: string): Promise<boolean>
  /** Loads the components that were saved, all or none. `false` if there is nothing. */
  loadIfExists(key: string): Promise<boolean>
  /** Loads all components. @throws {MemoryError} `state/not-found` if there is nothing for one of them. */
  loadOrThrow(key: string): Promise<void>
  /** Deletes what was saved. `false` if there was nothing. */
  delete(key: string): Promise<boolean>
}

/** The working document of a session: values by key, each with all its versions. */
export interface SessionState {
  /** All values by key; or one value, `undefined` if there is none. */
  get(): Promise<JSONObject>
  get(key: string, options?: StateAsOf): Promise<JSONValue | undefined>
  /** A value with its version; `undefined` if there is none. */
  entry(key: string, options?: StateAsOf): Promise<StateEntry | undefined>
  /** All values at one version. */
  snapshot(options?: StateAsOf): Promise<StateSnapshot>
  /** Sets a value. @throws {MemoryError} `state/conflict` if it does not have the expected version. */
  set(key: string, value: JSONValue, options?: Expecting): Promise<StateEntry>
  /** Sets what `change` returns. It is called again if somebody else changed the value meanwhile, so it must only compute. */
  update(key: string, change: (value: JSONValue | undefined) => JSONValue | Promise<JSONValue>): Promise<StateEntry>
  /** Deletes a value. `false` if there is none. The history keeps it. */
  delete(key: string, options?: Expecting): Promise<boolean>
  /** The changes of a key, newest first. */
  history(key: string, options?: StateHistoryOptions): Promise<readonly StateChange[]>
  /** The tasks of the session. */
  readonly tasks: Tasks
  /** The agent's scratchpad. */
  readonly notes: Notes
  /** Parts of a program that are saved and loaded together. */
  components(parts: Readonly<Record<string, Component>>): Components
}
