import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dialectRules } from '../../src/dialects/rules.ts'
import { diagnose, doctorRules, repairDocument } from '../../src/doctor/index.ts'

const manual = readFileSync(join(import.meta.dirname, '../../docs/doctor.md'), 'utf8')
const rows = [...manual.matchAll(/^\| `([^`]+)` +\|(.+)\|$/gm)].map(([, id = '', cells = '']) => [
  id,
  ...cells.split('|').map((cell) => cell.trim()),
])

it('[doc-2] docs/doctor.md lists every rule as it is', () => {
  for (const [id, { topic, severity, fixed, text }] of Object.entries(doctorRules))
    expect(rows).toContainEqual([id, topic, severity, fixed, text])
  for (const { id, dialect, severity, seen, text } of dialectRules.values())
    if (seen === 'transcript') expect(rows).toContainEqual([id, dialect, severity, text])
})

it('[doc-2] the example of docs/doctor.md does what it says', () => {
  const broken = '{"role":"user","content":"Hello"}\n{"role":"assis'
  expect(diagnose(broken).findings.map(({ rule }) => rule)).toEqual(['torn'])
  expect(repairDocument(broken, { dialect: 'openai', ignore: ['secret'] })).toMatchObject({
    text: '{"role":"user","content":"Hello"}\n',
    left: [],
  })
})
