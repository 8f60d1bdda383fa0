import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { ROOT } from '../../scripts/run.ts'

/** The links of a page that lead nowhere: to a file that is not there, or to a heading that its page does not have. */
export function brokenLinks(document: string, read: (file: string) => string): string[] {
  const text = read(document).replaceAll(/^```[\s\S]*?^```/gm, '')
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
  return targets.filter((target) => {
    if (/^(https?|mailto):/.test(target)) return false
    const [path = '', heading] = target.split('#')
    const file = path === '' ? document : normalize(join(dirname(document), path))
    if (!existsSync(join(ROOT, file))) return true
    return heading !== undefined && file.endsWith('.md') && !headingsOf(read(file)).includes(heading)
  })
}

/** The anchors of a page, as repository hosts make them. */
function headingsOf(markdown: string): string[] {
  const text = markdown.replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}
