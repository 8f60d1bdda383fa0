import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../run.ts'
import { sidebar } from './sidebar.ts'

export interface Page {
  /** Its path in `docs/`, without `.md`. */
  readonly path: string
  readonly title: string
  readonly text: string
}

export interface PageGroup {
  readonly title: string
  readonly pages: readonly Page[]
}

/** The pages of the site by group. Pages for people who change the code are left out. */
export function pageGroups(): readonly PageGroup[] {
  const listed = sidebar.flatMap(([, pages]) => pages)
  const others = readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/\.md$/, ''))
    .filter((path) => !listed.includes(path))
  return [...sidebar, ['More', others] as const]
    .map(([title, paths]) => ({ title, pages: paths.flatMap(pageAt) }))
    .filter(({ pages }) => pages.length > 0)
}

function pageAt(path: string): readonly Page[] {
  const file = join(ROOT, 'docs', `${path}.md`)
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8')
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  return [{ path, title, text }]
}
