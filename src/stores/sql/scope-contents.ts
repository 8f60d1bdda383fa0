import type { ScopeContent } from '../../ports/erasure-store.ts'
import { INSIDE_SCOPE } from './inside-scope.ts'

const places = (table: string, name: string): string =>
  `SELECT DISTINCT scope AS "scope", ${name} AS "name" FROM ${table}
    WHERE (scope > ? OR (scope = ? AND ${name} > ?)) AND ${INSIDE_SCOPE} ORDER BY scope, ${name} LIMIT ?`

/** What a scope and those below it have, by kind. */
export const scopeContents: Readonly<Record<ScopeContent, string>> = {
  session: places('sessions', 'name'),
  state: places('state_heads', 'session'),
  entity: places('entities', 'key'),
  fact: places('facts', 'id'),
}

/** Deletes what a scope and those below it define for their facts. */
export const definitions: Readonly<Record<'proposals' | 'parts' | 'predicates' | 'listed', string>> = {
  proposals: `DELETE FROM proposals WHERE ${INSIDE_SCOPE}`,
  parts: `DELETE FROM proposal_parts WHERE ${INSIDE_SCOPE}`,
  listed: `SELECT scope AS "scope", name AS "name" FROM predicates WHERE ${INSIDE_SCOPE}`,
  predicates: `DELETE FROM predicates WHERE ${INSIDE_SCOPE}`,
}
