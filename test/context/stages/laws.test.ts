import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Draft } from '../../../src/domain/message.ts'
import type { Part } from '../../../src/domain/part.ts'
import { type Entry, draftsOf, positionOf, totalTokens } from '../../../src/context/window/entry.ts'
import type { StageStep } from '../../../src/api/policy.ts'
import { presets } from '../../../src/context/compaction/presets.ts'
import type { ProposedFold, StageInput } from '../../../src/context/compaction/stage.ts'
import { estimatedTokens } from '../../../src/context/summary/stand-in.ts'
import { unitsOf } from '../../../src/context/window/unit.ts'
import { proposeFolds } from './at-once.ts'
import { applied, assistant, call, inputOf, result, resultPart, say, user, windowOf } from './window.ts'

/** Every step of every preset, and the same eager: without gates that a small window never passes. */
const steps: readonly StageStep[] = [
  ...Object.values(presets).flatMap((policy) => policy.steps),
  { stage: 'offload', overCharacters: 100, previewCharacters: 30 },
  { stage: 'truncate-results', charactersMax: 60, keepRounds: 1 },
  { stage: 'truncate-results', tokensMax: 40 },
  { stage: 'merge', runOver: 1, tokensMin: 0, tokensMax: 200 },
  { stage: 'summarise', unit: 'round', keepUser: true },
  { stage: 'summarise', unit: 'round', take: 'to-target', role: 'assistant' },
  { stage: 'summarise', unit: 'range', take: 'half', split: true },
  { stage: 'summarise', unit: 'range', take: 'to-target' },
  { stage: 'summarise', unit: 'range', where: 'current-round' },
  { stage: 'summarise', unit: 'folds', summaryTokensMax: 100 },
  { stage: 'drop' },
  { stage: 'drop', mode: 'skip' },
]

const words = fc.oneof(
  fc.constantFrom(
    'short',
    'We decided it. Is it open? 12 ms.',
    'Error: no luck in src/a.ts',
    '请检查服务器。',
    '[summary of 3 messages, reopen {fold-id}]',
    '> quoted\n[offloaded text]',
  ),
  fc
    .tuple(fc.constantFrom('a line of a log\n', 'value ERR-7731 ', '数据', 'x'), fc.integer({ min: 1, max: 300 }))
    .map(([text, times]) => text.repeat(times)),
)

/** Pieces of a conversation: talk, parallel and late and missing and failed results, several in one message, pictures, system messages. */
function piece(kind: string, text: string, index: number): readonly Draft[] {
  const [a, b] = [`a${index}`, `b${index}`]
  const calls = call([a, 'read_file', { path: text }], [b, 'write_file', { text }])
  switch (kind) {
    case 'round':
      return [user(text), call([a, 'read_file', { path: 'a.ts' }]), result(a, text), assistant(text)]
    case 'talk':
      return [user(text), assistant(text)]
    case 'parallel':
      return [calls, result(b, text), result(a, text, { outcome: 'error' })]
    case 'together':
      return [calls, { role: 'tool', parts: [resultPart(a, text), resultPart(b, { type: 'json', value: { text } })] }]
    case 'late':
      return [calls, result(a, text), user('meanwhile'), result(b, text)]
    case 'dangling':
      return [call([a, 'slow', `{"half": "${text}`])]
    case 'orphan':
      return [result(`lost${index}`, text)]
    case 'picture':
      return [
        { role: 'user', parts: [{ type: 'image', source: { type: 'blob', hash: 'ab', bytes: text.length * 100 } }] },
      ]
    case 'provider':
      return [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text },
            { type: 'tool-call', id: a, name: 'web', arguments: '{}', providerExecuted: true },
            { ...resultPart(a, text), providerExecuted: true },
            { type: 'text', text },
          ],
        },
      ]
    default:
      return [say('system', text)]
  }
}

const kinds = fc.constantFrom(
  'round',
  'talk',
  'parallel',
  'together',
  'late',
  'dangling',
  'orphan',
  'picture',
  'provider',
  'system',
)
const drafts = fc
  .array(fc.tuple(kinds, words), { minLength: 1, maxLength: 10 })
  .map((pieces) => pieces.flatMap(([kind, text], index) => piece(kind, text, index)))

describe('what every stage keeps to, on any window', () => {
  it('whole bundles, nothing untouchable, each entry once, smaller, the same again, and nothing twice', () => {
    const chosen = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        drafts,
        chosen,
        fc.integer({ min: 0, max: 3_000 }),
        fc.array(fc.nat(30), { maxLength: 3 }),
        (all, run, target, pinned) => {
          let window: readonly Entry[] = windowOf([...all, user('go on')])
          for (const [time, step] of run.entries()) {
            const input = inputFor(window, target, pinned)
            const proposals = proposeFolds(step, input)
            expect(proposeFolds(step, input)).toEqual(proposals)
            for (const proposal of proposals) keepsTheLaws(proposal, input)
            const hidden = proposals.flatMap(({ entries }) => entries)
            expect(new Set(hidden).size).toBe(hidden.length)
            window = applied(window, proposals).map((entry) => named(entry, time))
            expect(messagesOf(window)).toBe(all.length + 1)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

function inputFor(window: readonly Entry[], target: number, pinned: readonly number[]): StageInput {
  const input = inputOf(window, { target })
  const positions = new Set(pinned.map((index) => index + 1))
  // A unit is pinned whole, as the runner has it.
  const whole = unitsOf(window).filter(({ entries }) =>
    entries.some((entry) => positions.has(positionOf(entry)) || input.untouchable.has(positionOf(entry))),
  )
  return { ...input, untouchable: new Set(whole.flatMap(({ entries }) => entries.map(positionOf))) }
}

function keepsTheLaws({ kind, entries, standIn }: ProposedFold, { entries: window, untouchable }: StageInput): void {
  expect(entries.length).toBeGreaterThan(0)
  for (const entry of entries) expect(untouchable.has(positionOf(entry))).toBe(false)
  expect(entries.map(positionOf)).toEqual(entries.map(positionOf).toSorted((a, b) => a - b))
  const [entry] = entries
  if (kind === 'offload' || kind === 'truncate') {
    expect(entries).toHaveLength(1)
    expect(standIn).toHaveLength(1)
    expect(standIn[0]?.role).toBe(draftsOf(entry as Entry)[0]?.role)
    expect(standIn[0]?.parts.map(frameOf)).toEqual(draftsOf(entry as Entry)[0]?.parts.map(frameOf))
    for (const part of standIn[0]?.parts ?? [])
      if (part.type === 'tool-call' && part.arguments.includes('[offloaded'))
        expect(JSON.parse(part.arguments)).toBeTypeOf('object')
    return
  }
  const hidden = new Set(entries)
  for (const unit of unitsOf(window)) {
    const inside = unit.entries.filter((one) => hidden.has(one)).length
    expect(inside === 0 || inside === unit.entries.length).toBe(true)
  }
  if (kind === 'drop') expect(standIn).toHaveLength(1)
  else expect(estimatedTokens(standIn)).toBeLessThan(totalTokens(entries))
}

/** What may not change about a part: what it is and which call it belongs to. Media become text. */
function frameOf(part: Part): unknown {
  if (part.type === 'tool-call') return [part.type, part.id, part.name, part.providerExecuted]
  if (part.type === 'tool-result') return [part.type, part.callId, part.name, part.outcome, part.providerExecuted]
  return part.type === 'image' ? 'text' : part.type
}

function messagesOf(window: readonly Entry[]): number {
  return window.reduce((sum, entry) => sum + (entry.type === 'fold' ? entry.fold.messages : 1), 0)
}

function named(entry: Entry, time: number): Entry {
  if (entry.type === 'message' || entry.fold.id.includes('/')) return entry
  return { type: 'fold', fold: { ...entry.fold, id: `${entry.fold.id}/${time}` } }
}
