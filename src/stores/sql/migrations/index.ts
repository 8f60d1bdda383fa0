import type { Migration } from '../migration.ts'
import { log } from './0001-log.ts'
import { recallMigration } from './0002-recall.ts'
import { knowledge } from './0003-knowledge.ts'
import { jobs } from './0004-jobs.ts'
import { vectors } from './0005-vectors.ts'
import { access } from './0006-access.ts'
import { state } from './0007-state.ts'
import { forgetting } from './0008-forgetting.ts'
import { calibrationsByScope } from './0009-calibrations-by-scope.ts'
import { rowDigests } from './0010-row-digests.ts'
import { keptContexts } from './0011-kept-contexts.ts'
import { unfinishedPosting } from './0012-unfinished-posting.ts'
import { versionsByScope } from './0013-versions-by-scope.ts'
import { segments } from './0014-segments.ts'
import { numberedChanges } from './0015-numbered-changes.ts'

/** In the order they are applied. Their count is the schema's version. */
export const migrations: readonly Migration[] = [
  log,
  recallMigration,
  knowledge,
  jobs,
  vectors,
  access,
  state,
  forgetting,
  calibrationsByScope,
  rowDigests,
  keptContexts,
  unfinishedPosting,
  versionsByScope,
  segments,
  numberedChanges,
]
