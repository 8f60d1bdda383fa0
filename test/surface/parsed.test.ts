import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Suggestion } from '../../src/api/graph.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { JSONObject } from '../../src/domain/json.ts'
import { parseFacts } from '../../src/domain/new-fact.ts'
import { parseMessage } from '../../src/domain/parse-message.ts'
import { parseSuggestion } from '../../src/knowledge/parse-suggestion.ts'
import { jsonSchema } from '../../src/shape/json-schema.ts'
import type { AnyShape } from '../../src/shape/shape.ts'
import { aNewFact } from '../../src/surface/fact-shapes.ts'
import { aNewMessage } from '../../src/surface/message-shapes.ts'
import { proposalOperations } from '../../src/surface/proposals.ts'
import { times } from '../tier.ts'
import { changed, fromForm } from './from-form.ts'

interface Subject {
  readonly name: string
  readonly shape: AnyShape
  readonly parse: (value: unknown) => unknown
  /** Rules that a schema cannot say, by what the error says was expected. */
  readonly rules: readonly RegExp[]
  /** The value as the schema would have it, where the parser accepts more than one way to write it. */
  readonly asDescribed: (value: unknown) => unknown
}

const subjects: readonly Subject[] = [
  {
    name: 'a message',
    shape: aNewMessage,
    parse: (value) => parseMessage('append', 'message', value),
    rules: [
      // What a message must say at all, and what its role can say.
      /^content: some text, a call, a result, media or data$/,
      /^either content or parts, not both$/,
      /^parts that a \w+ message can have/,
      /^a message with (another role|role tool)$/,
      // Media: the text of an address, of base64 and of a hash, and a media type unless the source has one.
      /^a path, an http\(s\) URL or a data URL$/,
      /^(base64|at least one byte|percent-encoded text|a valid URL|a data URL with a comma|the number of bytes)$/,
      /^a SHA-256 in hexadecimal$/,
      /^a media type: the source does not say it$/,
      /^a number of pixels$/,
      // Ids without control characters and broken Unicode.
      /^(no control characters|well-formed Unicode)/,
    ],
    asDescribed: (value) => {
      const { seq: _, tokens: _t, tokenizer: _c, revision: _r, removed: _m, imported: _i, ...message } = value as Fields
      const { toolCalls, agentCalls, content, parts, role } = message
      // Roles may be written in capitals. What only a stored message has is ignored, whatever it is, and so is the `type` of
      // calls in a list of calls. `providerExecuted: false` is as good as none.
      return {
        ...message,
        role: String(role).toLowerCase(),
        ...(toolCalls === undefined
          ? {}
          : { toolCalls: each(toolCalls, ({ type: _type, ...call }) => executed(call)) }),
        ...(agentCalls === undefined ? {} : { agentCalls: each(agentCalls, ({ type: _type, ...call }) => call) }),
        ...(content === undefined ? {} : { content: Array.isArray(content) ? each(content, executed) : content }),
        ...(parts === undefined ? {} : { parts: Array.isArray(parts) ? each(parts, executed) : parts }),
      }
    },
  },
  {
    name: 'a fact',
    shape: aNewFact,
    parse: (value) => parseFacts([value]),
    rules: [
      // More than spaces, and a predicate with a letter or a digit.
      /^a (text|name) of 1 to \d+ characters$/,
      /^a string with at least one letter or digit$/,
      /^a string of up to 128 characters$/,
      // Dates that exist, in their order.
      /^a Date, an ISO 8601 string/,
      /^a time after validFrom$/,
      /^(no control characters|well-formed Unicode)/,
    ],
    asDescribed: (value) => value,
  },
  {
    name: 'a suggestion',
    shape: proposalOperations.propose.takes?.['suggestion']?.shape as AnyShape,
    parse: (value) => parseSuggestion('propose', value as Suggestion),
    rules: [/^a name of 1 to \d+ characters$/, /^(no control characters|well-formed Unicode)/],
    // The first of its kinds counts, and what belongs to another is not looked at.
    asDescribed: (value) => parseSuggestion('propose', value as Suggestion),
  },
]

type Fields = Readonly<Record<string, unknown>>

function each(list: unknown, write: (item: Fields) => unknown): readonly unknown[] {
  return (list as readonly Fields[]).map((item) => write(item))
}

function executed({ providerExecuted, ...part }: Fields): Fields {
  return providerExecuted === false || providerExecuted === undefined ? part : { ...part, providerExecuted }
}

/** What the parser says it expected; nothing if it accepts the value. */
function refusalOf(parse: Subject['parse'], value: unknown): string | undefined {
  try {
    parse(value)
    return undefined
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    return / expected ([^]*)$/.exec(error.message)?.[1] ?? error.message
  }
}

function schemaErrors(shape: AnyShape): (value: unknown) => readonly ErrorObject[] {
  const schemas = new Map<string, JSONObject>()
  const schema = jsonSchema(shape, { at: '#/$defs/', schemas })
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  const validate = ajv.compile({ ...schema, $defs: Object.fromEntries(schemas) })
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

const RUNS = times({ daily: 2_000, nightly: 50_000 })

describe.each(subjects)('[surface-33] $name', ({ shape, parse, rules, asDescribed }) => {
  const errorsOf = schemaErrors(shape)

  it('that fits its schema is accepted, unless it breaks a rule that a schema cannot say', () => {
    let accepted = 0
    fc.assert(
      fc.property(fromForm(shape), (value) => {
        expect(errorsOf(value)).toEqual([])
        const refusal = refusalOf(parse, value)
        if (refusal === undefined) accepted++
        else if (!rules.some((rule) => rule.test(refusal))) expect(refusal).toBe('accepted')
      }),
      { numRuns: RUNS },
    )
    expect(accepted).toBeGreaterThan(RUNS / 20)
  })

  it('that is accepted fits its schema', () => {
    let compared = 0
    fc.assert(
      fc.property(fromForm(shape).chain(changed), (value) => {
        if (refusalOf(parse, value) !== undefined) return
        expect(errorsOf(asDescribed(value))).toEqual([])
        compared++
      }),
      { numRuns: RUNS },
    )
    expect(compared).toBeGreaterThan(RUNS / 100)
  })
})
