import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../scripts/run.ts'

/** The colours of a block, by name. */
function colours(block: string): readonly string[] {
  return [...block.matchAll(/--[\w-]+:[^;]+;/g)].map(([line]) => line)
}

// CSS cannot share a block between a selector and a media query, so the dark colours are there twice.
it('the dark colours are the same, whether chosen on the page or by the system', () => {
  const css = readFileSync(join(ROOT, 'src/inspector/style/tokens.css'), 'utf8')
  const [, chosen = '', system = ''] =
    /\[data-theme='dark'\] \{([^}]*)\}[^]*prefers-color-scheme: dark\) \{\s*:root:not\(\[data-theme='light'\]\) \{([^}]*)\}/.exec(
      css,
    ) ?? []
  expect(colours(chosen).length).toBeGreaterThan(30)
  expect(colours(system)).toEqual(colours(chosen))
})
