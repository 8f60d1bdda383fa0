import type { ComponentType, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { shownPlace } from '../data/place.ts'
import { edition, refused } from '../data/request.ts'
import { loadScopes, shownScope } from '../data/scopes.ts'
import { ownKey } from '../data/signed-in.ts'
import { SessionsView } from '../views/sessions-view.tsx'
import { TopBar } from './top-bar.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Dialogs } from './dialogs.tsx'
import { lazyView } from './lazy-view.tsx'
import { Navigation, TabBar } from './navigation.tsx'
import { useShortcuts } from './shortcuts.ts'
import { SignInView } from './sign-in-view.tsx'

const views: Readonly<Record<string, ComponentType>> = {
  '/': SessionsView,
  '/sessions': SessionsView,
  '/session': lazyView(async () => (await import('../views/session-view.tsx')).SessionView),
  '/knowledge': lazyView(async () => (await import('../views/knowledge-view.tsx')).KnowledgeView),
  '/memory': lazyView(async () => (await import('../views/memory-view.tsx')).MemoryView),
  '/me': lazyView(async () => (await import('../views/me-view.tsx')).MeView),
  '/recall': lazyView(async () => (await import('../views/recall-view.tsx')).RecallView),
}

/** What the window is called. */
const names: Readonly<Record<string, string>> = {
  '/knowledge': 'Knowledge',
  '/recall': 'Recall',
  '/me': 'Me',
  '/memory': 'Memory',
}

const SCOPES_AGAIN_MS = 15_000

/** The page: the bar, the navigation and one view, or the sign-in. */
export function InspectorApp(): JSX.Element {
  useShortcuts()
  const key = ownKey.value
  const round = edition.value
  useEffect(() => {
    if (key === undefined || key === null) return undefined
    void loadScopes()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void loadScopes()
    }, SCOPES_AGAIN_MS)
    return () => clearInterval(timer)
  }, [key, round])
  const { path, query } = shownPlace.value
  useEffect(() => {
    const what = query.get('id') ?? names[path] ?? 'Sessions'
    document.title = `${what}${shownScope.value === null ? '' : ` · ${shownScope.value}`} · Daybook`
  }, [path, query, shownScope.value])
  if (key === null || (refused.value && key !== undefined)) return <SignInView />
  const View = views[path] ?? SessionsView
  return (
    <div class="app">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <TopBar />
      <Navigation />
      <main id="main">
        <ConnectionBanner />
        {key !== undefined && <View key={path} />}
      </main>
      <TabBar />
      <Dialogs />
    </div>
  )
}
