import type { VisibleScopes } from './database.ts'

/** SQL for the rows of a scope and all below: from it, up to what follows its last child, without siblings that sort in between. */
export const INSIDE_SCOPE = `scope >= ? AND scope < ? AND (scope = ? OR scope >= ?)`

/** Values for `INSIDE_SCOPE`. For all scopes: everything that is text lies between. */
export function insideScope(scope: string | null): readonly string[] {
  return scope === null ? ['', '\u{10ffff}\u{10ffff}', '', ''] : [scope, `${scope}0`, scope, `${scope}/`]
}

/** What a statement with `INSIDE_SCOPE` may touch. */
export function visibleInside(scope: string | null): VisibleScopes {
  return scope === null ? 'every scope' : [scope, `${scope}/`]
}
