import type { ScopeSummary } from '../../api/scopes.ts'

export interface ScopeNode {
  readonly path: string
  /** The last part of the path. */
  readonly name: string
  /** Sessions of this scope and of all below it. */
  readonly sessions: number
  readonly children: readonly ScopeNode[]
}

interface Growing {
  readonly path: string
  own: number
  readonly children: Map<string, Growing>
}

/** The scopes as a tree. A scope that has nothing itself is there for those below it. */
export function scopeTree(scopes: readonly Pick<ScopeSummary, 'scope' | 'sessions'>[]): readonly ScopeNode[] {
  const root: Growing = { path: '', own: 0, children: new Map() }
  for (const { scope, sessions } of scopes) {
    let node = root
    for (const name of scope.split('/')) {
      const path = node.path === '' ? name : `${node.path}/${name}`
      const next = node.children.get(name) ?? { path, own: 0, children: new Map() }
      node.children.set(name, next)
      node = next
    }
    node.own += sessions
  }
  return grown(root).children
}

function grown({ path, own, children }: Growing): ScopeNode {
  const below = [...children.values()].map(grown)
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    sessions: below.reduce((sum, { sessions }) => sum + sessions, own),
    children: below,
  }
}
