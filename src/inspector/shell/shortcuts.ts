import { useEffect } from 'preact/hooks'
import { addressOf, goTo } from '../data/place.ts'
import { shownScope } from '../data/scopes.ts'
import { shownDialog } from './shown-dialog.ts'

/** What `?` lists. */
export const shortcuts: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl', 'K'], does: 'Search, jump' },
  { keys: ['J'], does: 'Next message or session' },
  { keys: ['K'], does: 'Message or session before' },
  { keys: ['←'], does: 'Turn before; with Shift ten' },
  { keys: ['→'], does: 'Turn after; with Shift ten' },
  { keys: ['['], does: 'Compaction before' },
  { keys: [']'], does: 'Compaction after' },
  { keys: ['O'], does: 'Open or close a fold or a result' },
  { keys: ['G', 'S'], does: 'Go to sessions' },
  { keys: ['G', 'K'], does: 'Go to knowledge' },
  { keys: ['G', 'R'], does: 'Go to recall' },
  { keys: ['/'], does: 'Filter or ask' },
  { keys: ['?'], does: 'This list' },
  { keys: ['Esc'], does: 'Close' },
]

const views: Readonly<Record<string, string>> = { s: '/sessions', k: '/knowledge', r: '/recall' }
const SECOND_KEY_MS = 1_500

/** The keys of the page. Single letters count only outside of fields. */
export function useShortcuts(): void {
  useEffect(() => {
    let wentAt = 0
    const press = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase()
      if (key === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        shownDialog.value = 'search'
        return
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isField(event.target)) return
      const view = views[key]
      if (view !== undefined && event.timeStamp - wentAt < SECOND_KEY_MS) {
        wentAt = 0
        goTo(addressOf(view, { scope: shownScope.value }))
      } else if (key === 'g') wentAt = event.timeStamp
      else act(key, event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function act(key: string, event: KeyboardEvent): void {
  if (key === '?') shownDialog.value = 'keys'
  else if (key === 'j' || key === 'k') step(key === 'j' ? 1 : -1)
  else if (key === 'o')
    document.activeElement?.closest('article')?.querySelector<HTMLElement>('[aria-expanded]')?.click()
  else if (key === '/') {
    const field = document.querySelector<HTMLElement>('[data-first-field]')
    if (field === null) return
    event.preventDefault()
    field.focus()
  }
}

/** Moves to the entry after or before the one in focus. */
function step(by: number): void {
  const entries = [...document.querySelectorAll<HTMLElement>('[data-entry]')]
  const at = entries.findIndex((entry) => entry.contains(document.activeElement))
  const next = at === -1 ? entries.find((entry) => entry.getBoundingClientRect().top >= 0) : entries[at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  )
}
