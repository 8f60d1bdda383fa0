import type { Reader } from './harness.ts'

/** Opens every view that the page links to, with its tabs, for a scope and one of its sessions. Returns their addresses as "/path tab". */
export async function openEveryView(reader: Reader, scope: string, session: string): Promise<readonly string[]> {
  const { page } = reader
  const linked = (selector: string): Promise<readonly string[]> =>
    page.$$eval(selector, (links) => links.map((link) => link.getAttribute('href') ?? ''))
  const query = new URLSearchParams({ scope, id: session })
  await reader.open(`/sessions?${new URLSearchParams({ scope })}`)
  const waiting = [...(await linked('.nav .view-link')), `/session?${query}`]
  const opened = new Map<string, string>()
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (opened.has(address)) continue
    await reader.open(address)
    const { pathname, searchParams } = new URL(address, page.url())
    opened.set(address, `${pathname} ${searchParams.get('tab') ?? ''}`.trim())
    waiting.push(...(await linked('.tabs a')))
  }
  return [...opened.values()]
}
