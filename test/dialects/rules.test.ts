import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../src/domain/dialect.ts'
import { lint } from '../../src/dialects/lint.ts'
import type { LintOptions } from '../../src/dialects/options.ts'
import { repair } from '../../src/dialects/repair.ts'
import { dialectRules } from '../../src/dialects/rules.ts'

interface Example {
  readonly dialect: Dialect
  readonly wire: unknown
  readonly options?: LintOptions
}

const hi = { role: 'user', content: 'hi' }
const daybookUser = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }
const daybookCall = { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' }] }
const daybookResult = {
  role: 'tool',
  parts: [{ type: 'tool-result', callId: 'c1', output: { type: 'text', text: 'x' } }],
}
const use = { type: 'tool_use', id: 't1', name: 'f', input: {} }
const used = { type: 'tool_result', tool_use_id: 't1', content: 'x' }
const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
}
const chatResult = { role: 'tool', tool_call_id: 'c1', content: 'x' }
const item = { type: 'message', role: 'user', content: 'hi' }
const itemCall = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }
const itemResult = { type: 'function_call_output', call_id: 'c1', output: 'x' }
const said = { type: 'message', role: 'assistant', content: 'ok' }
const content = { role: 'user', parts: [{ text: 'hi' }] }
const contentCall = { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: {} } }] }
const contentResult = { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response: {} } }] }
const sdkCall = { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: {} }] }
const sdkResult = {
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'f', output: { type: 'text', value: 'x' } }],
}
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' }

const examples: Readonly<Record<string, readonly Example[]>> = {
  C0: [
    { dialect: 'daybook', wire: [daybookUser, { role: 'robot', parts: [] }] },
    { dialect: 'openai', wire: [hi, { role: 'robot', content: 'beep' }] },
    { dialect: 'anthropic', wire: { messages: [hi, 7] } },
    { dialect: 'langchain', wire: [{ type: 'human', data: { content: 7 } }] },
  ],
  C1: [
    { dialect: 'daybook', wire: [] },
    { dialect: 'openai', wire: [] },
    { dialect: 'openai-responses', wire: { input: [] } },
    { dialect: 'anthropic', wire: { system: 'x', messages: [] } },
    { dialect: 'gemini', wire: { contents: [] } },
    { dialect: 'ai-sdk-ui', wire: [] },
    { dialect: 'langchain', wire: [] },
  ],
  C2: [
    { dialect: 'daybook', wire: [daybookUser, daybookCall] },
    { dialect: 'daybook', wire: [daybookUser, daybookResult] },
    { dialect: 'daybook', wire: [daybookUser, daybookCall, daybookResult, daybookCall, daybookResult] },
    {
      dialect: 'langchain',
      wire: [{ type: 'ai', data: { content: '', tool_calls: [{ id: 'c1', name: 'f', args: {} }] } }],
    },
    { dialect: 'gemini', wire: [content, contentCall, content] },
    { dialect: 'openai', wire: [hi, chatCall, chatResult, chatResult] },
    { dialect: 'ai-sdk', wire: [sdkCall, sdkResult, sdkResult] },
  ],
  C3: [
    // The assistant speaks between two results of one turn.
    {
      dialect: 'daybook',
      wire: [
        daybookUser,
        {
          role: 'assistant',
          parts: [...daybookCall.parts, { type: 'tool-call', id: 'c2', name: 'f', arguments: '{}' }],
        },
        daybookResult,
        { role: 'assistant', parts: [{ type: 'text', text: 'wait' }] },
        { role: 'tool', parts: [{ type: 'tool-result', callId: 'c2', output: { type: 'text', text: 'y' } }] },
      ],
    },
    {
      dialect: 'openai-responses',
      wire: [item, itemCall, { ...itemCall, call_id: 'c2' }, itemResult, said, { ...itemResult, call_id: 'c2' }],
    },
    { dialect: 'daybook', wire: [daybookUser, daybookCall, daybookUser, daybookResult] },
    { dialect: 'openai-responses', wire: [item, itemCall, item, itemResult] },
  ],
  C4: [
    {
      dialect: 'daybook',
      wire: [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'x', provider: { anthropic: { signature: '' } } },
            { type: 'text', text: 'y' },
          ],
        },
      ],
    },
    { dialect: 'gemini', wire: [{ role: 'user', parts: [{ text: 'x', thoughtSignature: 7 }] }] },
  ],
  C5: [
    { dialect: 'daybook', wire: [daybookUser, { role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }] }] },
    { dialect: 'gemini', wire: [content, { role: 'model', parts: [{ text: 'hm', thought: true }] }, content] },
    {
      dialect: 'ai-sdk',
      wire: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }] },
      ],
    },
    { dialect: 'ai-sdk-ui', wire: [{ id: '1', role: 'assistant', parts: [{ type: 'reasoning', text: 'hm' }] }] },
  ],
  C6: [
    { dialect: 'daybook', wire: [daybookUser, { role: 'user', parts: [] }] },
    { dialect: 'daybook', wire: [{ role: 'user', parts: [{ type: 'text', text: '' }] }] },
    { dialect: 'openai', wire: [{ role: 'user', content: '' }] },
    { dialect: 'openai-responses', wire: [{ ...item, content: [] }] },
    { dialect: 'ai-sdk', wire: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
  ],
  C7: [{ dialect: 'daybook', wire: [{ role: 'assistant', parts: [{ type: 'text', text: 'x' }] }, daybookUser] }],
  C9: [
    {
      dialect: 'daybook',
      wire: [
        daybookUser,
        { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":' }] },
        daybookResult,
      ],
    },
    { dialect: 'openai-responses', wire: [item, { ...itemCall, arguments: '[1]' }, itemResult] },
    {
      dialect: 'ai-sdk',
      wire: [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: 'half' }] },
        sdkResult,
      ],
    },
  ],
  C10: [{ dialect: 'daybook', wire: [daybookUser, { role: 'system', parts: [{ type: 'text', text: 'x' }] }] }],
  A1: [
    { dialect: 'anthropic', wire: { messages: [hi, { role: 'system', content: 'be brief' }] } },
    {
      dialect: 'anthropic',
      wire: { messages: [{ role: 'system', content: 'be brief' }, hi] },
      options: { model: 'claude-opus-4-8' },
    },
    { dialect: 'anthropic', wire: [{ role: 'system', content: 'be brief' }, hi] },
  ],
  A2: [{ dialect: 'anthropic', wire: { messages: [{ role: 'assistant', content: 'Hello!' }, hi] } }],
  A3: [{ dialect: 'anthropic', wire: { messages: [hi, hi] } }],
  A4: [
    { dialect: 'anthropic', wire: { messages: [hi, { role: 'assistant', content: [use] }] } },
    {
      dialect: 'anthropic',
      wire: { messages: [hi, { role: 'assistant', content: [use] }, hi, { role: 'user', content: 'x' }] },
    },
  ],
  A5: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          { role: 'assistant', content: [use] },
          { role: 'user', content: [{ type: 'text', text: 'and' }, used] },
        ],
      },
    },
  ],
  A6: [{ dialect: 'anthropic', wire: { messages: [{ role: 'user', content: [used] }] } }],
  A7: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          { role: 'assistant', content: [{ ...use, id: 'a b' }] },
          { role: 'user', content: [{ ...used, tool_use_id: 'a b' }] },
        ],
      },
    },
  ],
  A8: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [hi, { role: 'assistant', content: [{ ...use, input: 'x' }] }, { role: 'user', content: [used] }],
      },
    },
  ],
  A9: [
    { dialect: 'anthropic', wire: { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] } },
    { dialect: 'anthropic', wire: { messages: [hi, { role: 'assistant', content: [] }, hi] } },
  ],
  A10: [
    { dialect: 'anthropic', wire: { messages: [hi, { role: 'assistant', content: 'I ' }] } },
    {
      dialect: 'anthropic',
      wire: { messages: [hi, { role: 'assistant', content: 'I' }] },
      options: { model: 'claude-sonnet-4-6' },
    },
    {
      dialect: 'anthropic',
      wire: { messages: [hi, { role: 'assistant', content: 'I' }] },
      options: { thinking: true },
    },
  ],
  A11: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm' },
              { type: 'text', text: 'x' },
            ],
          },
          hi,
        ],
      },
    },
    {
      dialect: 'anthropic',
      wire: { messages: [hi, { role: 'assistant', content: [use] }, { role: 'user', content: [used] }] },
      options: { thinking: true },
    },
  ],
  A12: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          {
            role: 'assistant',
            content: [
              { ...thinking, cache_control: { type: 'ephemeral' } },
              { type: 'text', text: 'x' },
            ],
          },
          hi,
        ],
      },
    },
  ],
  A13: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          {
            role: 'assistant',
            content: [
              { type: 'web_search_tool_result', tool_use_id: 's1', content: [] },
              { type: 'text', text: 'x' },
            ],
          },
          hi,
        ],
      },
    },
  ],
  A14: [
    {
      dialect: 'anthropic',
      wire: { messages: [{ role: 'assistant', content: [{ type: 'compaction', content: '' }] }, hi] },
    },
  ],
  A15: [{ dialect: 'anthropic', wire: { messages: Array.from({ length: 100_001 }, () => hi) } }],
  A16: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          { role: 'assistant', content: [use, { type: 'text', text: 'x' }] },
          { role: 'user', content: [used] },
        ],
      },
    },
  ],
  A17: [
    {
      dialect: 'anthropic',
      wire: {
        messages: [
          hi,
          { role: 'assistant', content: [use] },
          { role: 'user', content: [{ ...used, content: [{ type: 'thinking', thinking: 'x' }] }] },
        ],
      },
    },
  ],
  O1: [{ dialect: 'openai', wire: [hi, chatResult] }],
  O2: [{ dialect: 'openai', wire: [hi, chatCall, hi] }],
  O3: [
    { dialect: 'openai', wire: [hi, { role: 'assistant', content: 'x', tool_calls: [] }] },
    {
      dialect: 'openai',
      wire: [
        hi,
        { ...chatCall, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a' } }] },
        chatResult,
      ],
    },
  ],
  O4: [{ dialect: 'openai', wire: [hi, { role: 'assistant', content: null }] }],
  O5: [{ dialect: 'openai', wire: [{ role: 'system', content: 'a' }, { role: 'developer', content: 'b' }, hi] }],
  O6: [
    {
      dialect: 'openai',
      wire: [
        hi,
        { ...chatCall, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'my tool', arguments: '{}' } }] },
        chatResult,
      ],
    },
  ],
  O7: [
    { dialect: 'openai', wire: [hi, hi], options: { profile: 'openai-compatible-strict' } },
    {
      dialect: 'openai',
      wire: [hi, { role: 'system', content: 'x' }],
      options: { profile: 'openai-compatible-strict' },
    },
    { dialect: 'openai', wire: [hi, chatCall, chatResult], options: { profile: 'openai-compatible-strict' } },
    {
      dialect: 'openai',
      wire: [{ role: 'assistant', content: 'Hello!' }],
      options: { profile: 'openai-compatible-strict' },
    },
  ],
  R1: [{ dialect: 'openai-responses', wire: [item, itemResult] }],
  R2: [{ dialect: 'openai-responses', wire: [item, itemCall] }],
  R3: [{ dialect: 'openai-responses', wire: [item, { type: 'reasoning', id: 'rs_1', summary: [] }, item] }],
  R4: [
    {
      dialect: 'openai-responses',
      wire: [
        item,
        { ...said, id: 'msg_1', status: 'completed', content: [{ type: 'output_text', text: 'x', annotations: [] }] },
      ],
      options: { model: 'gpt-5' },
    },
  ],
  R5: [
    {
      dialect: 'openai-responses',
      wire: [item, { type: 'reasoning', id: 'rs_1', summary: [] }, said],
      options: { store: false },
    },
    { dialect: 'openai-responses', wire: { store: false, input: [item, { type: 'item_reference', id: 'msg_1' }] } },
  ],
  R6: [{ dialect: 'openai-responses', wire: [item, { type: 'item_reference', id: 'fc_1' }] }],
  R7: [{ dialect: 'openai-responses', wire: [item, { ...said, id: 'msg_1' }, { ...said, id: 'msg_1' }] }],
  R8: [
    { dialect: 'openai-responses', wire: { input: [item], conversation: 'conv_1', previous_response_id: 'resp_1' } },
  ],
  R9: [
    { dialect: 'openai-responses', wire: [{ type: 'compaction_trigger' }, item] },
    { dialect: 'openai-responses', wire: [{ type: 'compaction', id: 'cmp_1' }, item] },
  ],
  R10: [
    { dialect: 'openai-responses', wire: [item, { type: 'computer_call', call_id: 'c1', action: {} }] },
    {
      dialect: 'openai-responses',
      wire: [item, { type: 'mcp_approval_response', approval_request_id: 'a1', approve: true }],
    },
  ],
  R11: [{ dialect: 'openai-responses', wire: [{ ...item, content: [{ type: 'output_text', text: 'x' }] }] }],
  G1: [
    { dialect: 'gemini', wire: { contents: [{ role: 'system', parts: [{ text: 'x' }] }, content] } },
    { dialect: 'gemini', wire: { systemInstruction: 7, contents: [content] } },
  ],
  G2: [{ dialect: 'gemini', wire: [contentCall, contentResult] }],
  G3: [{ dialect: 'gemini', wire: [content, contentCall, content] }],
  G4: [
    { dialect: 'gemini', wire: [{ role: 'user', parts: [] }] },
    { dialect: 'gemini', wire: [content, { role: 'model', parts: [{ text: '' }, { text: 'x' }] }, content] },
  ],
  G5: [{ dialect: 'gemini', wire: [content, contentCall, contentResult], options: { model: 'gemini-3-pro' } }],
  G6: [
    {
      dialect: 'gemini',
      wire: [content, { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'f', args: 'x' } }] }, contentResult],
    },
    {
      dialect: 'gemini',
      wire: [
        content,
        contentCall,
        { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'f', response: 'x' } }] },
      ],
    },
  ],
  G7: [{ dialect: 'gemini', wire: [content, { role: 'model', parts: [{ text: 'x' }] }] }],
  V1: [{ dialect: 'ai-sdk', wire: { instructions: 'x', messages: [] } }],
  V2: [
    {
      dialect: 'ai-sdk',
      wire: {
        messages: [
          { role: 'system', content: 'x' },
          { role: 'user', content: 'x' },
        ],
      },
    },
  ],
  V3: [
    { dialect: 'ai-sdk', wire: [{ role: 'user', content: 'x' }, sdkCall] },
    { dialect: 'ai-sdk', wire: [sdkCall, { role: 'user', content: 'x' }, sdkResult] },
    {
      dialect: 'ai-sdk-ui',
      wire: [
        {
          id: '1',
          role: 'assistant',
          parts: [{ type: 'tool-f', toolCallId: 'c1', state: 'input-available', input: {} }],
        },
      ],
    },
  ],
  V4: [
    {
      dialect: 'ai-sdk',
      wire: [
        sdkCall,
        sdkResult,
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }] },
      ],
    },
  ],
  V5: [
    {
      dialect: 'ai-sdk',
      wire: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    },
  ],
  V6: [{ dialect: 'ai-sdk-ui', wire: [{ id: '1', role: 'user', parts: [] }] }],
  V7: [
    {
      dialect: 'ai-sdk',
      wire: [
        sdkCall,
        {
          role: 'tool',
          content: [...sdkResult.content, { type: 'tool-approval-response', approvalId: 'a1', approved: true }],
        },
      ],
    },
    {
      dialect: 'ai-sdk',
      wire: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'x' },
            { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'zz' },
          ],
        },
      ],
    },
  ],
}

/** Halves of confirmed rules that are not confirmed themselves. */
const unconfirmedHalves: Readonly<Record<string, Example>> = {
  A9: {
    dialect: 'anthropic',
    wire: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: ' ' },
            { type: 'text', text: 'x' },
          ],
        },
      ],
    },
  },
  A12: {
    dialect: 'anthropic',
    wire: { messages: [hi, { role: 'assistant', content: [{ type: 'text', text: 'x' }, thinking] }, hi] },
  },
  A15: {
    dialect: 'anthropic',
    wire: {
      messages: [
        {
          role: 'user',
          content: Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })),
        },
      ],
    },
  },
  O3: {
    dialect: 'openai',
    wire: [
      hi,
      { ...chatCall, tool_calls: [{ id: 'c'.repeat(41), type: 'function', function: { name: 'f', arguments: '{}' } }] },
      { ...chatResult, tool_call_id: 'c'.repeat(41) },
    ],
  },
}

function severities(rule: string, { dialect, wire, options }: Example, more: LintOptions = {}): readonly string[] {
  const found = lint(wire, dialect, { ...options, ...more }).filter((violation) => violation.rule === rule)
  return found.map((violation) => violation.severity)
}

function expectFixed(rule: string, { dialect, wire, options }: Example): void {
  const fixed = repair(wire, dialect, options)
  const left = lint(fixed, dialect, { ...options, unconfirmed: 'error' }).filter(
    (violation) => violation.severity === 'error',
  )
  expect(left).toEqual([])
  expect(fixed.changes.map((change) => change.rule)).toContain(rule)
}

describe('the table of rules', () => {
  it('[msg-11] has an example for every rule that a transcript can break, and for no other', () => {
    const visible = [...dialectRules.values()].filter((rule) => rule.seen === 'transcript').map((rule) => rule.id)
    expect(Object.keys(examples).toSorted()).toEqual(visible.toSorted())
  })

  it('[msg-11] numbers the rules of each provider without a gap', () => {
    const numbered = (letter: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
    const wanted = [
      'C0',
      ...numbered('C', 10),
      ...numbered('A', 17),
      ...numbered('O', 7),
      ...numbered('R', 11),
      ...numbered('G', 8),
      ...numbered('V', 8),
    ]
    expect([...dialectRules.keys()]).toEqual(wanted)
  })

  describe.each(
    [...dialectRules.values()].filter((rule) => rule.seen === 'transcript').map((rule) => [rule.id, rule] as const),
  )('%s', (id, rule) => {
    it.each((examples[id] ?? []).map((example, index) => [`${example.dialect} ${index + 1}`, example] as const))(
      '[msg-11] is named and repaired: %s',
      (_, example) => {
        const byDefault = rule.confirmed === false ? 'warning' : rule.severity
        expect(severities(id, example)).toContain(byDefault)
        expect(severities(id, example, { unconfirmed: 'error' })).toContain(rule.severity)
        if (rule.severity === 'error') expectFixed(id, example)
      },
    )
  })

  it.each(Object.entries(unconfirmedHalves))(
    '[msg-11] %s: its unconfirmed half is a warning until the switch raises it',
    (rule, example) => {
      expect(severities(rule, example)).toEqual(['warning'])
      expect(severities(rule, example, { unconfirmed: 'error' })).toEqual(['error'])
      expectFixed(rule, example)
    },
  )

  it.each([
    ['G5', { dialect: 'gemini', wire: [content, contentCall, contentResult] }],
    [
      'R4',
      {
        dialect: 'openai-responses',
        wire: [{ type: 'reasoning', id: 'rs_1', summary: [] }, said, item, { ...said, id: 'msg_1' }],
      },
    ],
  ] as const)('[msg-11] %s is a warning as long as nobody says which model', (rule, example) => {
    expect(severities(rule, example)).toEqual(['warning'])
  })

  it.each([
    [
      'A1',
      {
        dialect: 'anthropic',
        wire: { messages: [hi, { role: 'system', content: 'be brief' }] },
        options: { model: 'claude-opus-4-8' },
      },
    ],
    [
      'A1',
      {
        dialect: 'anthropic',
        wire: { messages: [hi, { role: 'system', content: 'be brief' }] },
        options: { model: 'claude-sonnet-5' },
      },
    ],
    [
      'A10',
      {
        dialect: 'anthropic',
        wire: { messages: [hi, { role: 'assistant', content: 'I' }] },
        options: { model: 'claude-sonnet-4-5-20250929' },
      },
    ],
    [
      'A2',
      {
        dialect: 'anthropic',
        wire: { messages: [{ role: 'assistant', content: [{ type: 'compaction', content: 'so far' }] }, hi] },
      },
    ],
    ['G5', { dialect: 'gemini', wire: [content, contentCall, contentResult], options: { model: 'gemini-2.5-pro' } }],
    ['O7', { dialect: 'openai', wire: [hi, hi] }],
    ['R1', { dialect: 'openai-responses', wire: { input: [itemResult], previous_response_id: 'resp_1' } }],
  ] as readonly (readonly [string, Example])[])('[msg-11] %s says nothing where it does not apply', (rule, example) => {
    expect(severities(rule, example)).toEqual([])
  })
})
