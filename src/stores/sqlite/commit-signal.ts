import { type FSWatcher, watch } from 'node:fs'
import type { WatchedSessions } from '../sql/watched-sessions.ts'
import type { Connection } from './connection.ts'
import { IN_MEMORY } from './open-database.ts'

/** Only a safety net for file systems that do not report writes: the watch on the file is what wakes readers. */
const POLL_MS = 500

/**
 * Tells subscribers that something was committed. Own commits are known at once; those of other processes write to the
 * WAL file, which the operating system reports, and `data_version` tells them from our own without reading a page.
 */
export class SqliteCommitSignal {
  readonly #connection: Connection
  readonly #watched: WatchedSessions
  #watcher: FSWatcher | undefined
  #poll: NodeJS.Timeout | undefined
  #dataVersion: string | symbol = ''
  #generation = 0

  constructor(connection: Connection, watched: WatchedSessions) {
    this.#connection = connection
    this.#watched = watched
  }

  subscribe(scope: string, session: string | undefined, listener: () => void): () => void {
    const leave = this.#watched.add(scope, session, listener)
    if (this.#watched.size === 1) this.#start()
    return () => {
      leave()
      if (this.#watched.size === 0) this.#stop()
    }
  }

  ring(): void {
    this.#watched.ring()
  }

  close(): void {
    this.#stop()
    this.#watched.wakeAll()
    this.#watched.clear()
  }

  #start(): void {
    if (this.#connection.file === IN_MEMORY || this.#connection.closed) return
    this.#dataVersion = this.#readVersion()
    // Keeps the process alive while somebody waits for messages, as an open socket would.
    this.#poll = setInterval(() => this.#check(), POLL_MS)
    this.#watch()
  }

  #watch(): void {
    this.#watcher?.close()
    this.#generation = this.#connection.generation
    try {
      const watcher = watch(`${this.#connection.file}-wal`, { persistent: false }, () => this.#check())
      watcher.on('error', () => watcher.close())
      this.#watcher = watcher
    } catch {
      this.#watcher = undefined // no WAL file yet, or a file system without notifications: the poll serves
    }
  }

  #stop(): void {
    clearInterval(this.#poll)
    this.#watcher?.close()
    this.#watcher = undefined
  }

  #check(): void {
    const version = this.#readVersion()
    if (version === this.#dataVersion) return
    // After a new handle the watched file may be another one as well.
    if (this.#generation !== this.#connection.generation) this.#watch()
    this.#dataVersion = version
    this.ring()
  }

  #readVersion(): string | symbol {
    try {
      // Numbers of different handles do not compare, so the handle's own number is part of it.
      const version = String(this.#connection.database().pragma('data_version', { simple: true }))
      return `${this.#connection.generation}:${version}`
    } catch {
      return Symbol('unknown') // busy or failing: unequal to everything, so subscribers look for themselves
    }
  }
}
