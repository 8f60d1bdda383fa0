import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../src/domain/dialect.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { Part } from '../../src/domain/part.ts'
import { outputText } from '../../src/dialects/canonical/output.ts'
import { convert } from '../../src/dialects/convert.ts'
import { lint } from '../../src/dialects/lint.ts'
import { repair } from '../../src/dialects/repair.ts'
import { conversations } from './conversations.ts'
import { anyTranscript, runs, wireDialects } from './generators.ts'
import { goldens } from './goldens.ts'

/** What every dialect has words for, in order. */
function essence(drafts: readonly Draft[], dialect?: Dialect): unknown {
  const parts = drafts.flatMap((draft) => draft.parts.map((part) => ({ role: draft.role, part })))
  const textOf = (role: string): string =>
    parts.map((entry) => (entry.role === role && entry.part.type === 'text' ? entry.part.text : '')).join('')
  const results = parts.flatMap(({ part }) =>
    part.type === 'tool-result' ? [[part.callId, outputText(part.output), part.outcome === 'error']] : [],
  )
  return {
    system: textOf('system'),
    user: textOf('user'),
    assistant: textOf('assistant'),
    calls: parts.flatMap(({ part }) =>
      part.type === 'tool-call' ? [[part.id, part.name, JSON.parse(part.arguments) as unknown]] : [],
    ),
    // A UI message holds each result inside its call: their own order is the one thing it has no word for.
    results: dialect === 'ai-sdk-ui' ? results.toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))) : results,
  }
}

const word = fc.constantFrom('alpha', 'beta ', ' gamma', 'δέλτα', '{"x":1}', '🎈', 'line\nline')

/** A valid conversation of bundles: user text, an assistant's text and parallel calls, their results in any order. */
const tame: fc.Arbitrary<readonly Draft[]> = fc
  .tuple(
    fc.option(word, { nil: undefined }),
    fc.array(
      fc.record({
        said: word,
        answer: fc.option(word, { nil: undefined }),
        outputs: fc.array(fc.tuple(word, fc.constantFrom('text', 'json', 'parts', 'error')), { maxLength: 3 }),
        reversed: fc.boolean(),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    ),
  )
  .map(([system, turns]) => {
    const drafts: Draft[] = system === undefined ? [] : [{ role: 'system', parts: [{ type: 'text', text: system }] }]
    for (const [index, turn] of turns.entries()) {
      drafts.push({ role: 'user', parts: [{ type: 'text', text: turn.said }] })
      const calls = turn.outputs.map((_, at): Part => ({
        type: 'tool-call',
        id: `call_${index}_${at}`,
        name: 'tool',
        arguments: `{"at":${at}}`,
      }))
      const text: readonly Part[] = turn.answer === undefined ? [] : [{ type: 'text', text: turn.answer }]
      if (text.length + calls.length > 0) drafts.push({ role: 'assistant', parts: [...text, ...calls] })
      const results = turn.outputs.map(([value, kind], at): Part => {
        const output =
          kind === 'json'
            ? ({ type: 'json', value: { value } } as const)
            : kind === 'parts'
              ? ({ type: 'parts', parts: [{ type: 'text', text: value }] } as const)
              : ({ type: 'text', text: value } as const)
        return {
          type: 'tool-result',
          callId: `call_${index}_${at}`,
          name: 'tool',
          output,
          ...(kind === 'error' ? { outcome: 'error' as const } : {}),
        }
      })
      if (results.length > 0) drafts.push({ role: 'tool', parts: turn.reversed ? results.toReversed() : results })
    }
    // A reply at the very end is trimmed for Anthropic (A10); the user has the last word here.
    return [...drafts, { role: 'user', parts: [{ type: 'text', text: 'end' }] }]
  })

describe.each(wireDialects)('%s', (dialect) => {
  it('[msg-13] keeps texts, calls, results and their order', () => {
    fc.assert(
      fc.property(tame, (drafts) => {
        expect(lint(drafts, 'daybook').filter((violation) => violation.severity === 'error')).toEqual([])
        const back = convert(convert(drafts, { from: 'daybook', to: dialect }), { from: dialect, to: 'daybook' })
        expect(essence(back, dialect)).toEqual(essence(drafts, dialect))
      }),
      runs(150),
    )
  })

  it('[msg-12] repair keeps every text and every paired call of a broken transcript', () => {
    fc.assert(
      fc.property(tame, fc.nat(20), (drafts, place) => {
        const wire = convert(drafts, { from: 'daybook', to: dialect })
        const list = (Array.isArray(wire) ? wire : 'contents' in wire ? wire.contents : wire.messages) as unknown[]
        // One message more that is no message: everything else must survive.
        const broken = list.toSpliced(place % (list.length + 1), 0, { nonsense: true })
        const fixed = repair(
          Array.isArray(wire)
            ? broken
            : ({ ...wire, ['contents' in wire ? 'contents' : 'messages']: broken } as unknown),
          dialect,
        )
        expect(fixed.changes.length).toBeGreaterThan(0)
        expect(essence(convert(fixed, { from: dialect, to: 'daybook' }), dialect)).toEqual(essence(drafts, dialect))
      }),
      runs(60),
    )
  })

  it.each(goldens[dialect].map((golden) => [golden.name, golden.wire] as const))(
    '[msg-13] gives back what it was given: %s',
    (_, wire) => {
      expect(lint(wire, dialect).filter((violation) => violation.severity === 'error')).toEqual([])
      expect(convert(convert(wire, { from: dialect, to: 'daybook' }), { from: 'daybook', to: dialect })).toEqual(wire)
    },
  )

  it.each(goldens[dialect].map((golden) => [golden.name, golden.wire] as const))(
    '[msg-12] leaves it alone: %s',
    (_, wire) => {
      const before = structuredClone(wire)
      const fixed = repair(wire as unknown, dialect)
      expect(fixed).toEqual(before)
      expect(fixed.changes).toEqual([])
      expect(wire).toEqual(before)
      expect(Object.keys(fixed)).not.toContain('changes')
    },
  )
})

describe('daybook', () => {
  it('[msg-13] converts to itself unchanged, with everything that no wire has a word for', () => {
    const drafts: readonly Draft[] = [
      {
        role: 'user',
        id: 'm1',
        name: 'ada',
        tags: ['x'],
        metadata: { a: 1 },
        at: '2026-11-15T00:00:00.000Z',
        parts: [{ type: 'text', text: 'hi' }],
      },
      {
        role: 'assistant',
        parts: [
          { type: 'agent-call', agent: 'researcher', request: { topic: 'x' } },
          { type: 'data', kind: 'structured', data: [1] },
        ],
      },
    ]
    expect(convert(drafts, { from: 'daybook', to: 'daybook' })).toEqual(drafts)
  })

  it.each(wireDialects)('[msg-13] writes agent calls and structured data as text: %s', (dialect) => {
    const drafts: readonly Draft[] = [
      { role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', parts: [{ type: 'agent-call', agent: 'researcher', request: { topic: 'x' } }] },
      { role: 'user', parts: [{ type: 'data', kind: 'structured', data: { score: 1 } }] },
    ]
    const wire = JSON.stringify(convert(drafts, { from: 'daybook', to: dialect }))
    expect(wire).toContain(JSON.stringify('[agent call: researcher] {"topic":"x"}').slice(1, -1))
    expect(wire).toContain(JSON.stringify('{"score":1}').slice(1, -1))
  })

  it('[msg-13] provider fields are the AI SDK’s providerOptions, unchanged', () => {
    for (const drafts of Object.values(conversations)) {
      const { messages } = convert(drafts, { from: 'daybook', to: 'ai-sdk' })
      const given = drafts
        .filter((draft) => draft.role !== 'system')
        .flatMap((draft) => draft.parts.map((part) => part.provider))
      expect(
        messages.flatMap((message) =>
          message.content.map((part) => ('providerOptions' in part ? part.providerOptions : undefined)),
        ),
      ).toEqual(given)
    }
  })

  it('[msg-12] repair never parts a call from its result', () => {
    fc.assert(
      fc.property(anyTranscript, (drafts) => {
        const parts = repair(drafts, 'daybook').flatMap((draft) => draft.parts)
        const calls = parts.flatMap((part) =>
          part.type === 'tool-call' && part.providerExecuted !== true ? [part.id] : [],
        )
        const results = parts.flatMap((part) =>
          part.type === 'tool-result' && part.providerExecuted !== true ? [part.callId] : [],
        )
        expect(new Set(calls).size).toBe(calls.length)
        expect(results.toSorted()).toEqual(calls.toSorted())
        const given = drafts.flatMap((draft) =>
          draft.parts.filter(
            (part) => part.type === 'tool-call' && part.providerExecuted !== true && draft.role === 'assistant',
          ),
        )
        expect(calls.length).toBe(given.length)
      }),
      runs(300),
    )
  })
})
