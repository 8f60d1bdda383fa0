import type { Migration } from '../migration.ts'
import { log } from './0001-log.ts'
import { jobs } from './0004-jobs.ts'

/** In the order they are applied. Their count is the schema's version. */
export const migrations: readonly Migration[] = [log, jobs]
