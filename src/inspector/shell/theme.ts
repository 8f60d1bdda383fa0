import { signal } from '@preact/signals'

type Theme = 'light' | 'dark'

const KEPT = 'daybook-theme'

/** What the reader chose; undefined follows the system. */
const chosen = signal<Theme | undefined>(undefined)

/** What the browser keeps for the page. In a frame of another site it may keep nothing, and says so with an error. */
function storage(): Storage | undefined {
  try {
    return localStorage
  } catch {
    return undefined
  }
}

export function applyTheme(): void {
  const kept = storage()?.getItem(KEPT)
  if (kept === 'light' || kept === 'dark') chosen.value = kept
  if (chosen.value !== undefined) document.documentElement.dataset['theme'] = chosen.value
}

export function shownTheme(): Theme {
  return chosen.value ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
}

export function switchTheme(): void {
  const next = shownTheme() === 'dark' ? 'light' : 'dark'
  chosen.value = next
  storage()?.setItem(KEPT, next)
  document.documentElement.dataset['theme'] = next
}
