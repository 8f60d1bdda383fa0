import type { importFile } from '../archive/import-file.ts'
import type { InTurn } from './in-turn.ts'
import type { Transport } from './transport.ts'

/** What the scopes of one connected memory share. */
export interface ServerConnection {
  readonly transport: Transport
  readonly turns: InTurn
  /** Reads a file by its path. A browser cannot. */
  readonly importFile: typeof importFile
}
