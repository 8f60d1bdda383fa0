import { type Signal, signal } from '@preact/signals'

/** Where the reader is: every view has an address, which can be kept and sent. */
export interface PageAddress {
  readonly path: string
  readonly query: URLSearchParams
}

export const shownPlace: Signal<PageAddress> = signal(here())

function here(): PageAddress {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

/** The address of a view. Fields without a value are left out. */
export function addressOf(
  path: string,
  fields: Readonly<Record<string, string | number | null | undefined>> = {},
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  const text = query.toString().replaceAll('%2F', '/')
  return text === '' ? path : `${path}?${text}`
}

/** Goes to an address; `replace` where going back should not stop at it. */
export function goTo(address: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (replace) history.replaceState(null, '', address)
  else history.pushState(null, '', address)
  const before = shownPlace.value.path
  shownPlace.value = here()
  if (!replace && before !== shownPlace.value.path) scrollTo(0, 0)
}

/** Follows links of the page without loading it again. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    shownPlace.value = here()
  })
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    const link = (event.target as Element | null)?.closest?.('a[href]')
    const address = link?.getAttribute('href') ?? ''
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return
    if (!address.startsWith('/') || address.startsWith('/v1/') || address === '/openapi.json') return
    event.preventDefault()
    goTo(address)
  })
}
