import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Dialect, dialects } from '../../src/domain/dialect.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { Part } from '../../src/domain/part.ts'
import { convert } from '../../src/dialects/convert.ts'
import { lint } from '../../src/dialects/lint.ts'
import { diagnose, repairDocument } from '../../src/doctor/index.ts'
import { applyPatch } from '../doctor/apply-patch.ts'
import { secrets } from '../doctor/corpus.ts'
import { times } from '../tier.ts'
import { adversarialString } from './strings.ts'

const numRuns = times({ daily: 60, nightly: 2_000 })

/** Every text is unlike every other, so that each can be looked for. */
function textOf(mark: number): string {
  return `marked <${mark}> here`
}

/** A valid conversation: questions, answers, and rounds of one to three calls with all their results. */
const conversation: fc.Arbitrary<readonly Draft[]> = fc
  .array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 6 })
  .map((rounds) => {
    let mark = 0
    const text = (): Part => ({ type: 'text', text: textOf(++mark) })
    return rounds.flatMap((calls): readonly Draft[] => {
      const ids = Array.from({ length: calls }, () => `call_${++mark}`)
      const called: readonly Draft[] =
        calls === 0
          ? []
          : [
              {
                role: 'assistant',
                parts: [
                  text(),
                  ...ids.map((id): Part => ({
                    type: 'tool-call',
                    id,
                    name: 'look',
                    arguments: `{"at":"${textOf(++mark)}"}`,
                  })),
                ],
              },
              {
                role: 'tool',
                parts: ids.map((id): Part => ({
                  type: 'tool-result',
                  callId: id,
                  name: 'look',
                  output: { type: 'text', text: textOf(++mark) },
                })),
              },
            ]
      return [{ role: 'user', parts: [text()] }, ...called, { role: 'assistant', parts: [text()] }]
    })
  })
  .map((drafts) => [...drafts, { role: 'user', parts: [{ type: 'text', text: textOf(0) }] }])

type Mutation = readonly [kind: 'drop' | 'duplicate' | 'swap' | 'head' | 'tail', at: number]

const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.tuple(fc.constantFrom('drop', 'duplicate', 'swap', 'head', 'tail'), fc.nat(30)),
  { minLength: 1, maxLength: 4 },
)

function mutate(messages: readonly JSONValue[], [kind, nat]: Mutation): readonly JSONValue[] {
  const at = messages.length === 0 ? 0 : nat % messages.length
  const one = messages.slice(at, at + 1)
  const two = messages.slice(at, at + 2)
  switch (kind) {
    case 'drop':
      return messages.length < 2 ? messages : messages.toSpliced(at, 1)
    case 'duplicate':
      return [...messages.slice(0, at), ...one, ...messages.slice(at)]
    case 'swap':
      return [...messages.slice(0, at), ...two.toReversed(), ...messages.slice(at + 2)]
    case 'head':
      return messages.slice(at)
    case 'tail':
      return messages.slice(0, at + 1)
  }
}

const KEYS: Partial<Record<Dialect, string>> = { anthropic: 'messages', gemini: 'contents', 'ai-sdk': 'messages' }

function messagesIn(drafts: readonly Draft[], dialect: Dialect): readonly JSONValue[] {
  const wire = convert(drafts, { from: 'daybook', to: dialect }) as unknown as Record<string, readonly JSONValue[]>
  const key = KEYS[dialect]
  return (key === undefined ? wire : wire[key]) as readonly JSONValue[]
}

function marksIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(/marked <(\d+)> here/g)].map(([, mark = '']) => mark))
}

describe.each(dialects)(
  '[doc-5] %s: a valid conversation after messages were dropped, doubled, swapped or cut off',
  (dialect) => {
    it('is repaired to one that is clean, and no word of it is lost', () => {
      fc.assert(
        fc.property(conversation, mutations, (drafts, steps) => {
          const broken = steps.reduce(mutate, messagesIn(drafts, dialect))
          const text = JSON.stringify(broken)
          const { text: copy, diagnosis } = repairDocument(text, { dialect })
          expect(lint(JSON.parse(copy), dialect).filter(({ severity }) => severity === 'error')).toEqual([])
          const again = repairDocument(copy, { dialect })
          expect(again.diagnosis.findings.filter(({ fix }) => fix !== undefined)).toEqual([])
          expect(again.text).toBe(copy)
          expect(marksIn(copy)).toEqual(marksIn(text))
          expect(applyPatch(JSON.parse(text) as JSONValue, diagnosis.patch)).toEqual(JSON.parse(copy))
        }),
        { numRuns },
      )
    })

    it('is found clean and left alone when nothing was done to it', () => {
      fc.assert(
        fc.property(conversation, (drafts) => {
          const text = JSON.stringify(messagesIn(drafts, dialect))
          const { diagnosis, changed } = repairDocument(text, { dialect })
          expect(diagnosis.findings).toEqual([])
          expect(changed).toBe(false)
        }),
        { numRuns },
      )
    })

    it('[doc-1] is recognised by itself, once a tool was called', () => {
      fc.assert(
        fc.property(conversation, (drafts) => {
          fc.pre(drafts.some(({ role }) => role === 'tool'))
          expect(diagnose(JSON.stringify(messagesIn(drafts, dialect)))).toMatchObject({ kind: 'transcript', dialect })
        }),
        { numRuns },
      )
    })
  },
)

describe('[doc-2] JSON lines', () => {
  it('cut off anywhere keep every line that is whole, to the byte', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), (drafts, nat) => {
        const lines = messagesIn(drafts, 'openai').map((message) => JSON.stringify(message))
        const file = `${lines.join('\n')}\n`
        const text = file.slice(0, nat % file.length)
        const whole = lines.slice(0, text.split('\n').length - 1)
        const { text: copy } = repairDocument(text, { dialect: 'openai' })
        for (const line of whole.filter((each) => each.includes('"role":"user"'))) expect(copy).toContain(`${line}\n`)
        expect(marksIn(copy).size).toBeGreaterThanOrEqual(marksIn(whole.join('\n')).size)
        expect(repairDocument(copy, { dialect: 'openai' }).changed).toBe(false)
      }),
      { numRuns },
    )
  })

  it('with NUL blocks and lost line feeds keep every record', () => {
    const damage = fc.array(fc.constantFrom('\n', '', '\n\0\0\0\0', '\0\n', '\n\n'), { minLength: 3, maxLength: 12 })
    fc.assert(
      fc.property(conversation, damage, (drafts, separators) => {
        const messages = messagesIn(drafts, 'openai')
        const text = messages
          .map((message, index) => JSON.stringify(message) + (separators[index % separators.length] ?? '\n'))
          .join('')
        const { text: copy } = repairDocument(text)
        expect(
          copy
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line) as unknown),
        ).toEqual(messages)
      }),
      { numRuns },
    )
  })
})

describe('[doc-2] any text at all', () => {
  it('is examined without a throw, and its copy needs no second repair', () => {
    const piece = fc.oneof(
      adversarialString,
      fc.json(),
      fc.constantFrom(
        '{"role":"user","content":"a"}',
        '[',
        '{',
        '"',
        '\n',
        '\0',
        '}',
        ']',
        '{"type":"entity","name":"a"}',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const { text } = repairDocument(pieces.join(''))
        const again = repairDocument(text)
        expect(again.diagnosis.findings.filter(({ fix }) => fix !== undefined)).toEqual([])
        expect(again.text).toBe(text)
      }),
      { numRuns: times({ daily: 300, nightly: 20_000 }) },
    )
  })

  it('is examined to its end when it was made to be slow', () => {
    const size = times({ daily: 300_000, nightly: 5_000_000 })
    const hostile = [
      '{"',
      '[',
      '{"a":',
      'eyJ-',
      'password=',
      'a://b:',
      'sk-',
      '\\"',
      '-----BEGIN PRIVATE KEY-----',
      ' ',
    ]
    for (const each of hostile) {
      const text = each.repeat(Math.ceil(size / each.length))
      expect(diagnose(text).findings.length).toBeGreaterThan(0)
      expect(diagnose(JSON.stringify([{ role: 'user', content: text }])).kind).toBe('transcript')
      expect(diagnose(`{"role":"user","content":"a"}\n${text}`).kind).toBe('transcript')
    }
  })

  it('never gives a secret away', () => {
    const secret = fc.constantFrom(...Object.values(secrets).filter((each) => each.length > 20))
    fc.assert(
      fc.property(secret, adversarialString, fc.nat(6), (hidden, around, form) => {
        const said = `${around} ${hidden} ${around}`
        const places: readonly unknown[] = [
          [{ role: 'user', content: said }],
          [
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: said, type: 'function', function: { name: said, arguments: said } }],
            },
          ],
          [{ role: 'tool', tool_call_id: 'x', content: said }],
          {
            messages: [
              { role: said, content: [{ type: said, text: said }] },
              { role: 'user', content: 'a' },
            ],
          },
          [
            { id: said, role: 'user', content: 'a' },
            { id: said, role: 'user', content: 'b' },
          ],
          { results: [{ id: said, memory: said }] },
          said,
        ]
        const { diagnosis, text } = repairDocument(JSON.stringify(places[form]))
        expect(JSON.stringify(diagnosis)).not.toContain(hidden)
        if (diagnosis.kind !== 'unknown') expect(text).not.toContain(hidden)
      }),
      { numRuns },
    )
  })
})
