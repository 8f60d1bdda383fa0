import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { addressOf, shownPlace } from '../data/place.ts'
import { scopes, shownScope } from '../data/scopes.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { written } from '../parts/numbers.ts'
import { PlainText } from '../parts/plain-text.tsx'
import { type ScopeNode, scopeTree } from './scope-tree.ts'

const views: readonly (readonly [path: string, name: string, icon: IconName])[] = [
  ['/sessions', 'Sessions', 'sessions'],
  ['/knowledge', 'Knowledge', 'knowledge'],
  ['/recall', 'Recall', 'search'],
  ['/me', 'Me', 'person'],
  ['/memory', 'Memory', 'list'],
]

/** Branches that the reader opened or closed. Those on the way to the shown scope are open by themselves. */
const branches = signal<ReadonlyMap<string, boolean>>(new Map())

/** The views, and the scopes as a tree. The scope chosen there is the scope of every view. */
export function Navigation(): JSX.Element {
  return (
    <nav class="nav" aria-label="Views and scopes">
      <ViewLinks />
      <h2>Scopes</h2>
      <ul class="tree">
        {scopeTree(scopes.value ?? []).map((node) => (
          <Branch key={node.path} node={node} />
        ))}
      </ul>
    </nav>
  )
}

function ViewLinks(): JSX.Element {
  const scope = shownScope.value
  const own = scopes.value?.find((summary) => summary.scope === scope)
  const counts: Readonly<Record<string, number | undefined>> = { '/sessions': own?.sessions, '/knowledge': own?.facts }
  return (
    <>
      {views.map(([path, name, icon]) => (
        <a
          key={path}
          class="view-link"
          href={addressOf(path, { scope })}
          aria-current={isCurrent(path) ? 'page' : undefined}
          title={name}
        >
          <Icon name={icon} />
          <span>{name}</span>
          {counts[path] !== undefined && <span class="count">{written.number(counts[path])}</span>}
        </a>
      ))}
    </>
  )
}

function isCurrent(path: string): boolean {
  const shown = shownPlace.value.path
  return shown === path || (path === '/sessions' && (shown === '/' || shown === '/session'))
}

/** A view of one session has no meaning in another scope. */
function pathForScope(): string {
  const { path } = shownPlace.value
  return ['/knowledge', '/recall', '/me', '/memory'].includes(path) ? path : '/sessions'
}

function Branch({ node }: { readonly node: ScopeNode }): JSX.Element {
  const { path, name, sessions, children } = node
  const shown = shownScope.value ?? ''
  const open = branches.value.get(path) ?? (shown === path || shown.startsWith(`${path}/`))
  const toggle = (): void => {
    branches.value = new Map(branches.value).set(path, !open)
  }
  return (
    <li>
      <div class="branch">
        {children.length > 0 ? (
          <button type="button" class="twist" aria-expanded={open} aria-label={`Scopes below ${path}`} onClick={toggle}>
            {open ? '▾' : '▸'}
          </button>
        ) : (
          <span class="twist" />
        )}
        <a href={addressOf(pathForScope(), { scope: path })} aria-current={shown === path ? 'true' : undefined}>
          <span class="name">
            <PlainText text={name} />
          </span>
          <span class="count">{written.number(sessions)}</span>
        </a>
      </div>
      {open && children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Branch key={child.path} node={child} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** The views again, where a thumb reaches them. */
export function TabBar(): JSX.Element {
  return (
    <nav class="tabbar" aria-label="Views">
      {views.map(([path, name, icon]) => (
        <a
          key={path}
          href={addressOf(path, { scope: shownScope.value })}
          aria-current={isCurrent(path) ? 'page' : undefined}
        >
          <Icon name={icon} size={18} />
          {name}
        </a>
      ))}
    </nav>
  )
}
