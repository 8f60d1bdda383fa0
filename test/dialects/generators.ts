import fc from 'fast-check'
import type { Dialect } from '../../src/domain/dialect.ts'
import type { JSONValue } from '../../src/domain/json.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { Part, ProviderFields, ToolOutput } from '../../src/domain/part.ts'
import { tier, times } from '../tier.ts'

/**
 * By day the seed is fixed, so that a change that has nothing to do with dialects never meets a new counterexample. At
 * night every property runs twenty times as often, from a new seed; `DAYBOOK_SEED` repeats one that failed.
 */
export function runs(count: number): { readonly numRuns: number; readonly seed?: number } {
  const given = process.env['DAYBOOK_SEED']
  const numRuns = times({ daily: count, nightly: count * 20 })
  if (given !== undefined) return { numRuns, seed: Number(given) }
  return tier === 'daily' ? { numRuns, seed: 20_261_115 } : { numRuns }
}

export const wireDialects: readonly Exclude<Dialect, 'daybook'>[] = [
  'openai',
  'openai-responses',
  'anthropic',
  'gemini',
  'ai-sdk',
  'ai-sdk-ui',
  'langchain',
]
export const allDialects: readonly Dialect[] = ['daybook', ...wireDialects]

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const words: fc.Arbitrary<string> = fc.constantFrom(
  'hello',
  'Paris',
  'order 7731 is late',
  'ünïcödé 🎈',
  '{"a":1}',
  'x\ny',
  '<b>',
  '[no result: interrupted]',
)
/** Now and then empty, blank, padded, or not well-formed. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: words },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n\t', ' padded ', 'end \n', '\ud800', '__proto__') },
  { weight: 1, arbitrary: fc.string() },
)

/** Small sets, so that ids repeat, dangle and cross. */
const callId: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('call_1', 'call_2', 'call_3', 'call_4', 'toolu_A', 'c-5') },
  { weight: 1, arbitrary: fc.constantFrom('', 'bad id!', 'x'.repeat(70), 'call_1_2', 'ü') },
)
const toolName: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('get_weather', 'search', 'save') },
  { weight: 1, arbitrary: fc.constantFrom('bad name', 'ns.tool', 'n'.repeat(80)) },
)

const argumentsJSON: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('{}', '{"city":"Paris"}', '{"q":"x","n":[1,2,{"d":null}]}') },
  { weight: 2, arbitrary: fc.constantFrom('', '{"city":"Pa', '[1,2]', '"text"', 'null', 'not json') },
)

const reasoningProvider: fc.Arbitrary<ProviderFields | undefined> = fc.constantFrom<ProviderFields | undefined>(
  { anthropic: { signature: 'sig-A' } },
  { anthropic: { redactedData: 'redacted' } },
  { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'enc' } },
  { openai: { itemId: 'rs_2' } },
  { openai: { reasoningEncryptedContent: 'enc-only' } },
  { google: { thoughtSignature: 'ts-1' } },
  { anthropic: { signature: '' } },
  { anthropic: { signature: 7 } },
  undefined,
)

const textProvider: fc.Arbitrary<ProviderFields | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<ProviderFields>(
      { anthropic: { cacheControl: { type: 'ephemeral' } } },
      { openai: { itemId: 'msg_1' } },
      { openai: { itemId: 'msg_2', phase: 'final_answer' } },
      { google: { thoughtSignature: 'ts-2' } },
      { openai: { refusal: true } },
    ),
  },
)

const source = fc.constantFrom(
  { type: 'url', url: 'https://example.com/a.png' } as const,
  { type: 'base64', base64: PNG } as const,
)

const media: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('image' as const), source }, { noNullPrototype: true }),
  fc.record(
    {
      type: fc.constant('image' as const),
      source,
      mediaType: fc.constant('image/png'),
      detail: fc.constant('low' as const),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    {
      type: fc.constant('file' as const),
      source,
      mediaType: fc.constantFrom('application/pdf', 'text/plain', 'application/zip'),
      name: fc.constant('a.pdf'),
    },
    { noNullPrototype: true },
  ),
  fc.record(
    { type: fc.constant('audio' as const), source, mediaType: fc.constantFrom('audio/wav', 'audio/flac') },
    { noNullPrototype: true },
  ),
)

function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}

const text: fc.Arbitrary<Part> = fc
  .tuple(anyText, textProvider)
  .map(([value, provider]) => defined({ type: 'text' as const, text: value, provider }) as Part)
const reasoning: fc.Arbitrary<Part> = fc
  .tuple(anyText, reasoningProvider)
  .map(([value, provider]) => defined({ type: 'reasoning' as const, text: value, provider }) as Part)
const data: fc.Arbitrary<Part> = fc.constantFrom<Part>(
  { type: 'data', kind: 'structured', data: { score: 1 } },
  { type: 'agent-call', agent: 'researcher', request: { topic: 'x' } },
  { type: 'data', kind: 'anthropic:compaction', data: { type: 'compaction', content: 'summary', signature: 's' } },
  {
    type: 'data',
    kind: 'openai-responses:compaction',
    data: { type: 'compaction', id: 'cmp_1', encrypted_content: 'e' },
  },
  {
    type: 'data',
    kind: 'openai-responses:web_search_call',
    data: { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  },
  { type: 'data', kind: 'ai-sdk-ui:data-note', data: { type: 'data-note', data: 1 } },
  { type: 'data', kind: 'gemini:executableCode', data: { executableCode: { language: 'PYTHON', code: '1' } } },
)

const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  anyText.map((value) => ({ type: 'text' as const, text: value })),
  fc.constantFrom<ToolOutput>(
    { type: 'json', value: { t: 21, list: [1] } },
    { type: 'json', value: 'text' },
    { type: 'json', value: null },
    { type: 'json', value: { $ref: 'x' } },
  ),
  fc.array(fc.oneof(text, media), { maxLength: 3 }).map((parts) => ({ type: 'parts', parts }) as ToolOutput),
)

const call: fc.Arbitrary<Part> = fc.record(
  { type: fc.constant('tool-call' as const), id: callId, name: toolName, arguments: argumentsJSON },
  { noNullPrototype: true },
)
const result: fc.Arbitrary<Part> = fc
  .tuple(
    fc.option(callId, { nil: undefined, freq: 10 }),
    fc.option(toolName, { nil: undefined }),
    output,
    fc.constantFrom(undefined, undefined, 'error' as const, 'denied' as const, 'interrupted' as const),
  )
  .map(
    ([id, name, value, outcome]) =>
      defined({ type: 'tool-result' as const, callId: id, name, output: value, outcome }) as Part,
  )
const executed: fc.Arbitrary<readonly Part[]> = fc.constantFrom<readonly Part[]>(
  [
    {
      type: 'tool-call',
      id: 'srv_1',
      name: 'web_search',
      arguments: '{"query":"x"}',
      providerExecuted: true,
      provider: { anthropic: { type: 'server-tool-use' } },
    },
    {
      type: 'tool-result',
      callId: 'srv_1',
      name: 'web_search',
      output: { type: 'json', value: [] },
      providerExecuted: true,
      provider: { 'wire:anthropic': { type: 'web_search_tool_result' } },
    },
  ],
  [
    {
      type: 'tool-result',
      callId: 'srv_9',
      name: 'web_search',
      output: { type: 'json', value: [] },
      providerExecuted: true,
    },
  ],
)

const assistantParts: fc.Arbitrary<readonly Part[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: text.map((part) => [part]) },
      { weight: 3, arbitrary: reasoning.map((part) => [part]) },
      { weight: 4, arbitrary: call.map((part) => [part]) },
      { weight: 1, arbitrary: data.map((part) => [part]) },
      { weight: 1, arbitrary: media.map((part) => [part]) },
      { weight: 1, arbitrary: executed },
    ),
    { maxLength: 5 },
  )
  .map((groups) => groups.flat())

const envelope = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom({ id: 'm1', name: 'ada' }, { metadata: { a: 1 } }, { tags: ['x'] }) },
)

/** One message as a log may hold it: parts may be empty, in the wrong place, or belong to nobody. */
const anyDraft: fc.Arbitrary<Draft> = fc
  .tuple(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.tuple(
          fc.constant('user' as const),
          fc.array(
            fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: media }, { weight: 1, arbitrary: data }),
            { maxLength: 3 },
          ),
        ),
      },
      { weight: 4, arbitrary: fc.tuple(fc.constant('assistant' as const), assistantParts) },
      {
        weight: 4,
        arbitrary: fc.tuple(fc.constant('tool' as const), fc.array(result, { minLength: 1, maxLength: 3 })),
      },
      { weight: 1, arbitrary: fc.tuple(fc.constant('system' as const), fc.array(text, { maxLength: 2 })) },
      {
        weight: 1,
        arbitrary: fc.tuple(fc.constantFrom('user' as const, 'system' as const, 'tool' as const), assistantParts),
      },
    ),
    envelope,
  )
  .map(([[role, parts], more]) => ({ role, parts: structuredClone(parts), ...more }) as Draft)

export const anyTranscript: fc.Arbitrary<readonly Draft[]> = fc.array(anyDraft, { maxLength: 8 })

const KEYS = [
  'role',
  'content',
  'parts',
  'type',
  'text',
  'tool_calls',
  'tool_call_id',
  'id',
  'name',
  'input',
  'arguments',
  'function',
  'system',
  'messages',
  'contents',
  'functionCall',
  'functionResponse',
  'args',
  'response',
  'thinking',
  'signature',
  'tool_use_id',
  'call_id',
  'output',
  'summary',
  'toolCallId',
  'toolName',
  'state',
  'providerOptions',
  'data',
  'source',
  'thought',
  'thoughtSignature',
  'provider',
  'image_url',
  'url',
  'inlineData',
  'kwargs',
  'approvalId',
  'errorText',
  'encrypted_content',
  'cache_control',
  'metadata',
  '__proto__',
  'callId',
  'kind',
]
const VALUES = [
  'user',
  'assistant',
  'model',
  'tool',
  'system',
  'developer',
  'human',
  'ai',
  'text',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'function',
  'function_call',
  'function_call_output',
  'reasoning',
  'message',
  'compaction',
  'compaction_trigger',
  'item_reference',
  'tool-call',
  'tool-result',
  'tool-x',
  'dynamic-tool',
  'output-available',
  'output-error',
  'step-start',
  'input_text',
  'output_text',
  'image',
  'file',
  'server_tool_use',
  'web_search_tool_result',
  'computer_call',
  'computer_call_output',
  'tool-approval-request',
  'tool-approval-response',
  'constructor',
  'call_1',
  'fc_1',
  'msg_1',
  '',
  ' ',
  'data-x',
]

/** JSON that looks a little like every dialect and is none. */
export const garbage: fc.Arbitrary<JSONValue> = fc.letrec<{ value: JSONValue; object: JSONValue; list: JSONValue }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom<JSONValue>(null, true, 0, 1.5, ...VALUES),
      tie('object'),
      tie('list'),
    ),
    object: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), {
      maxKeys: 6,
      noNullPrototype: true,
    }) as fc.Arbitrary<JSONValue>,
    list: fc.array(tie('value'), { maxLength: 5 }) as fc.Arbitrary<JSONValue>,
  }),
).value

/** A change to somewhere inside a JSON value, chosen by numbers: which place, what to do. */
export const mutation: fc.Arbitrary<{ readonly place: number; readonly action: number; readonly value: JSONValue }> =
  fc.record({ place: fc.nat(10_000), action: fc.nat(5), value: garbage }, { noNullPrototype: true })

/** Applies a mutation to a copy. */
export function mutate(
  wire: unknown,
  { place, action, value }: { readonly place: number; readonly action: number; readonly value: JSONValue },
): unknown {
  const copy = structuredClone(wire)
  const spots: { readonly holder: Record<string, unknown> | unknown[]; readonly key: string }[] = []
  const pending: unknown[] = [copy]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const key of Object.keys(next)) {
      spots.push({ holder: next as Record<string, unknown>, key })
      pending.push((next as Record<string, unknown>)[key])
    }
  }
  const spot = spots[place % Math.max(1, spots.length)]
  if (spot === undefined) return copy
  const { holder, key } = spot
  if (Array.isArray(holder)) {
    const at = Number(key)
    if (action === 0) holder.splice(at, 1)
    else if (action === 1) holder.splice(at, 0, structuredClone(holder[at]))
    else if (action === 2) holder.push(...holder.splice(at, 1))
    else if (action === 3) holder.reverse()
    else holder[at] = value
  } else if (action < 3) delete holder[key]
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
  return copy
}
