import { describe, expect, it } from 'vitest'
import { dialects } from '../../src/domain/dialect.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import { lint } from '../../src/dialects/lint.ts'
import { dialectRules } from '../../src/dialects/rules.ts'
import { type PatchOperation, diagnose, doctorRules, repairDocument } from '../../src/doctor/index.ts'
import { applyPatch } from './apply-patch.ts'
import { corpus, secrets, textOf } from './corpus.ts'

describe('[doc-5] the corpus of broken transcripts', () => {
  it('has thirty and more, in every dialect, on every topic', () => {
    expect(corpus.length).toBeGreaterThanOrEqual(30)
    expect(new Set(corpus.flatMap(([, { dialect }]) => dialect ?? []))).toEqual(new Set(dialects))
    const topics = new Set(corpus.flatMap(([, { findings }]) => findings.map(({ topic }) => topic)))
    for (const topic of ['tools', 'order', 'empty', 'signature', 'duplicate', 'echo', 'secret', 'torn', 'shape'])
      expect(topics).toContain(topic)
  })

  it.each(corpus)('[doc-1] [doc-2] %s', (_, { kind, dialect, input, findings, repaired, left }) => {
    const text = textOf(input)
    const { diagnosis, ...copy } = repairDocument(text)
    expect(diagnosis.kind).toBe(kind)
    expect(diagnosis.dialect).toBe(dialect)
    expect(
      diagnosis.findings.map(({ rule, topic, severity, place, fix = null }) => ({ rule, topic, severity, place, fix })),
    ).toEqual(findings)
    expect(copy.left.map(({ rule }) => rule)).toEqual(left)
    expect(copy.changed).toBe(repaired !== null)
    if (repaired === null) expect(copy.text).toBe(text)
    else expect(typeof input === 'string' ? copy.text : JSON.parse(copy.text)).toEqual(repaired)
  })

  it.each(corpus)('[doc-3] the copy of %s has nothing left that can be repaired', (_, { input }) => {
    const copy = repairDocument(textOf(input))
    const again = repairDocument(copy.text)
    expect(again.diagnosis.findings.filter(({ fix }) => fix !== undefined)).toEqual([])
    expect(again.changed).toBe(false)
    const { dialect } = copy.diagnosis
    if (dialect === undefined || copy.diagnosis.kind !== 'transcript') return
    const wire: unknown = copy.diagnosis.form === 'json' ? JSON.parse(copy.text) : linesOf(copy.text)
    expect(lint(wire, dialect).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it.each(corpus)('[doc-2] the patch of %s makes the copy', (_, { input }) => {
    const text = textOf(input)
    const { diagnosis, text: copy } = repairDocument(text)
    const whole = diagnosis.findings.every(({ topic }) => topic !== 'torn')
    if (!whole) return
    const lines = diagnosis.form === 'json-lines'
    const before = (lines ? linesOf(text) : JSON.parse(text)) as JSONValue
    expect(applyPatch(before, diagnosis.patch)).toEqual(lines ? linesOf(copy) : JSON.parse(copy))
  })

  it.each(corpus)('[doc-2] no secret is in the report on %s', (_, { input }) => {
    const told = JSON.stringify(diagnose(textOf(input)))
    for (const secret of Object.values(secrets)) expect(told).not.toContain(secret)
  })

  it('names only rules of its table and of the table of lint', () => {
    for (const [, { input }] of corpus)
      for (const { rule, topic, severity, fix } of diagnose(textOf(input)).findings) {
        const own = doctorRules[rule]
        if (own === undefined) expect(dialectRules.has(rule)).toBe(true)
        else expect([topic, severity, own.fixed !== 'no' || fix === undefined]).toEqual([own.topic, own.severity, true])
      }
  })
})

describe('[doc-2] a finding with a patch of its own', () => {
  it('is mended by it alone', () => {
    const before: JSONValue = [
      { role: 'user', content: 'Summarise the log.' },
      { role: 'user', content: 'Summarise the log.' },
    ]
    const [finding] = diagnose(JSON.stringify(before)).findings
    const patch = finding?.patch as readonly PatchOperation[]
    expect(patch).toEqual([{ op: 'remove', path: '/1' }])
    expect(diagnose(JSON.stringify(applyPatch(before, patch))).findings).toEqual([])
  })
})

function linesOf(text: string): readonly unknown[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
}
