import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { ROOT } from '../../scripts/run.ts'
import { requirements } from '../requirements.ts'

const ids = requirements.map((requirement) => requirement.id)
const areas = [...new Set(ids.map((id) => id.replace(/-\d+$/, '')))]

/** Ids between brackets that look like ours, as `[log-7]`, with the file that cites them. */
function citations(): Map<string, string> {
  const pattern = new RegExp(String.raw`\[((?:${areas.join('|')})-\d+)\]`, 'g')
  const cited = new Map<string, string>()
  for (const folder of ['test', 'bench']) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.startsWith('requirements') || name.endsWith('requirements.test.ts')) continue
      const text = readFileSync(join(ROOT, folder, name), 'utf8')
      for (const [, id = ''] of text.matchAll(pattern)) cited.set(id, `${folder}/${name}`)
    }
  }
  return cited
}

describe('the requirements', () => {
  const cited = citations()

  it('have an id each', () => {
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it.each(ids)('%s is cited by a test or a benchmark', (id) => {
    expect(cited.get(id), `no test or benchmark has "[${id}]"`).toBeDefined()
  })

  it('are the only ids that are cited', () => {
    expect([...cited].filter(([id]) => !ids.includes(id))).toEqual([])
  })
})
