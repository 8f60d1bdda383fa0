import type { Migration } from '../migration.ts'
import { log } from './0001-log.ts'
import { recall } from './0002-recall.ts'

/** In the order they are applied. Their count is the schema's version. */
export const migrations: readonly Migration[] = [log, recall]
