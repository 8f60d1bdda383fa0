import type { Migration } from '../migration.ts'

/** Versions of what is known are counted by scope when they are shown. */
export const versionsByScope: Migration = {
  number: 13,
  name: 'versions-by-scope',
  statements: () => [`CREATE INDEX knowledge_versions_by_scope ON knowledge_versions (root, scope, version)`],
}
