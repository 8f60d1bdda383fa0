import { STILL_KNOWN } from './migrations/0003-knowledge.ts'

/** What a row says about others that are missing. */
export interface RowGap {
  /** Holds for a row `t` if something is missing. */
  readonly where: string
  /** What is missing, in words. */
  readonly missing: string
}

const same = (...columns: readonly string[]): string =>
  columns.map((column) => `o.${column} = t.${column}`).join(' AND ')
const none = (table: string, where: string): string => `NOT EXISTS (SELECT 1 FROM ${table} o WHERE ${where})`
const unversioned: RowGap = {
  where: none('knowledge_versions', `${same('scope')} AND o.version = t.revision`),
  missing: 'the version of what is known in which it was written',
}

/** Of rows that end when a later one begins. */
const overlapping = (table: string, ...key: readonly string[]): RowGap => ({
  where: `EXISTS (SELECT 1 FROM ${table} o WHERE ${same(...key)} AND o.revision > t.revision AND o.revision < t.until)`,
  missing: 'its end, although a later one is there: an old row was put back',
})

const sessionGone: RowGap = { where: none('sessions', 'o.key = t.session'), missing: 'its session' }

/**
 * What rows say about others, by table. Each is found through an index. An import that was interrupted has written only the first
 * tables of an archive, so a row may name only what an archive has before it, or what is missing although something after it is there.
 */
export const rowGaps: Readonly<Record<string, readonly RowGap[]>> = {
  operations: [sessionGone],
  learn_cursors: [sessionGone],
  knowledge_versions: [
    {
      where: `t.nth - 1 <> COALESCE((SELECT o.nth FROM knowledge_versions o WHERE o.scope = t.scope AND o.version < t.version
        ORDER BY o.version DESC LIMIT 1), 0)`,
      missing: 'the change of its scope before it',
    },
  ],
  facts: [
    unversioned,
    overlapping('facts', 'scope', 'id'),
    {
      where: `t.until < ${STILL_KNOWN} AND ${none('facts', `${same('scope', 'id')} AND o.revision = t.until`)}
        AND NOT ${none('fact_sources', `${same('scope')} AND o.fact = t.id`)}`,
      missing: 'the next version of the fact',
    },
    {
      where: `${none('fact_sources', `${same('scope')} AND o.fact = t.id`)}
        AND NOT ${none('entities', `${same('scope')} AND o.key = t.subject AND o.revision <= t.revision`)}`,
      missing: 'every source of the fact',
    },
  ],
  fact_sources: [unversioned, { where: none('facts', `${same('scope')} AND o.id = t.fact`), missing: 'its fact' }],
  facts_forgotten: [
    {
      where: none('knowledge_versions', same('scope', 'version')),
      missing: 'the version of what is known in which the fact was forgotten',
    },
  ],
  entities: [unversioned, overlapping('entities', 'scope', 'key')],
  entity_names: [
    unversioned,
    overlapping('entity_names', 'scope', 'name'),
    { where: none('entities', `${same('scope')} AND o.key = t.entity`), missing: 'its entity' },
  ],
  proposal_parts: [{ where: none('proposals', `${same('scope')} AND o.id = t.proposal`), missing: 'its proposal' }],
  state_entries: [
    {
      where: none('state_heads', `${same('scope', 'session')} AND o.version >= t.version`),
      missing: 'the number of changes of its state, or that is too low',
    },
    {
      where: `EXISTS (SELECT 1 FROM state_entries o WHERE ${same('scope', 'session', 'section', 'key')}
        AND o.version > t.version AND (t.until_version IS NULL OR o.version < t.until_version))`,
      missing: 'its end, although a later entry is there: an old row was put back',
    },
  ],
  forgotten_sessions: [
    {
      where: `t.last_seq > 0 AND ${none('forgotten_names', same('scope'))}`,
      missing: 'every trace of what was forgotten in its scope',
    },
  ],
}
