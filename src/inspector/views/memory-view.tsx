import type { ComponentType, JSX } from 'preact'
import { addressOf, shownPlace } from '../data/place.ts'
import { shownScope } from '../data/scopes.ts'
import { PageHead } from '../parts/page-head.tsx'
import { AuditTab } from './memory/audit-tab.tsx'
import { HealthTab } from './memory/health-tab.tsx'
import { ImportTab } from './memory/import-tab.tsx'
import { JobsTab } from './memory/jobs-tab.tsx'
import { KeepingTab } from './memory/keeping-tab.tsx'
import { KeysTab } from './memory/keys-tab.tsx'

const tabs: readonly (readonly [name: string, title: string, tab: ComponentType])[] = [
  ['jobs', 'Jobs', JobsTab],
  ['health', 'Health', HealthTab],
  ['audit', 'Audit', AuditTab],
  ['keys', 'Keys', KeysTab],
  ['import', 'Import', ImportTab],
  ['keeping', 'Retention, export, forget', KeepingTab],
]

/** The memory as a whole: its background work, its health, who did what, and who may. */
export function MemoryView(): JSX.Element {
  const scope = shownScope.value
  const [name, , Tab] = tabs.find(([tab]) => tab === shownPlace.value.query.get('tab')) ?? tabs[0] ?? ['', '', JobsTab]
  return (
    <>
      <PageHead title="Memory" about="What happens in the background, and what was done by whom." />
      <nav class="tabs" aria-label="Memory">
        {tabs.map(([tab, title]) => (
          <a key={tab} href={addressOf('/memory', { scope, tab })} aria-current={tab === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="body">
        <Tab />
      </div>
    </>
  )
}
