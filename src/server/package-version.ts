import { existsSync, readFileSync } from 'node:fs'

/** The version of this package; `unknown` where somebody bundled it into another program. */
export function packageVersion(): string {
  let folder = new URL('.', import.meta.url)
  for (;;) {
    const file = new URL('package.json', folder)
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string }
      if (name === 'daybook' && version !== undefined) return version
    }
    const above = new URL('..', folder)
    if (above.href === folder.href) return 'unknown'
    folder = above
  }
}
