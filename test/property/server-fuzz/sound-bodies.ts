const image = { type: 'image', mediaType: 'image/png', source: { type: 'base64', base64: 'aGVsbG8=' } }
const blob = { type: 'image', mediaType: 'image/png', source: { type: 'blob', hash: 'a'.repeat(64), bytes: 5 } }
const toolTurn = [
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'thinking', provider: { anthropic: { signature: 's' } } },
      { type: 'tool-call', id: 'c1', name: 'find', arguments: { q: [1, { deep: true }] } },
      { type: 'agent-call', id: 'a1', agent: 'helper', request: 'look' },
    ],
  },
  {
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: 'c1',
        name: 'find',
        output: { type: 'parts', parts: [{ type: 'text', text: 'found' }, image] },
      },
      {
        type: 'tool-result',
        callId: 'c1',
        name: 'find',
        output: { type: 'json', value: { a: [1] } },
        outcome: 'error',
      },
    ],
  },
]
const fact = {
  subject: 'Ada',
  predicate: 'likes',
  object: { entity: 'Tea', type: 'drink' },
  validFrom: '2026-01-01T00:00:00Z',
  validTo: '2027-01-01T00:00:00Z',
  confidence: 0.9,
  tags: ['a'],
  sources: [{ session: 's', message: 'm' }],
}
const stages = [
  { stage: 'offload', where: 'everywhere', overCharacters: 10, previewCharacters: 5, keepLast: 1 },
  { stage: 'summarise', unit: 'range', take: 'half', keepUser: true, ratio: 0.5, keepTokens: 10 },
  { stage: 'drop', mode: 'contiguous', keepRounds: 1 },
]

/** Bodies that each call understands, or nearly: one place of them is then made into something else. */
export const soundBodies: Readonly<Record<string, readonly unknown[]>> = {
  'messages.append': [
    { messages: { role: 'user', content: 'hello', tags: ['a'], metadata: { a: { b: [1] } }, name: 'ada' } },
    { messages: toolTurn, operationId: 'o', strict: false },
    {
      messages: [
        { role: 'user', parts: [{ type: 'text', text: 'see' }, image], images: ['data:image/png;base64,aGk='] },
      ],
    },
    {
      messages: [
        {
          role: 'assistant',
          content: 'x',
          toolCalls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', content: { tool_call_id: 'c', output: { a: 1 } } },
      ],
    },
  ],
  'streams.keep': [
    { from: 0, text: 'hello', message: { role: 'assistant', name: 'bot', tags: ['a'] } },
    { from: 5, text: ' you' },
  ],
  'messages.revise': [{ content: 'new', tags: ['b'], metadata: null }, { parts: [{ type: 'text', text: 'x' }, blob] }],
  'messages.blobs': [{ messages: [...toolTurn, { role: 'user', parts: [blob] }] }],
  'sessions.describe': [{ text: 'You are brief.' }],
  'sessions.clear': [{ keepSystem: false }],
  'sessions.fork': [
    { newId: 'f', at: 1 },
    { newId: 'g', at: { version: 1 } },
  ],
  'sessions.usage': [{ model: 'gpt-5', inputTokens: 10, outputTokens: 2, estimatedTokens: 11 }],
  'state.set': [{ value: { goal: 'x', steps: [{ title: 'a', state: 'todo', tag: 't' }] }, expected: 0 }],
  'tasks.add': [{ description: 'do', id: 't', status: 'Running' }],
  'tasks.change': [{ progress: 0.5 }, { status: 'Failed', reason: 'no' }],
  'notes.add': [{ text: 'note', tags: ['a'] }],
  'notes.change': [{ text: 'other', tags: ['b'], done: true }],
  'blocks.set': [
    { text: '{"a":1}', description: 'd', limit: 100, schema: { type: 'object' }, expected: 0, channel: 'user' },
  ],
  'blocks.edit': [
    { append: 'x', expected: 1 },
    { replace: 'a', with: 'b' },
    { merge: { a: 2 }, channel: 'agent' },
  ],
  'blocks.undo': [{ expected: 1 }],
  'sessionBlocks.set': [{ text: 'x', description: null, schema: null }],
  'sessionBlocks.edit': [{ append: 'x' }],
  'sessionBlocks.undo': [{}],
  'contexts.build': [
    {
      budget: 5_000,
      model: 'gpt-5',
      reserve: 100,
      policy: {
        name: 'own',
        high: { mark: { ratio: 0.8 } },
        low: { mark: { ratio: 0.5 } },
        steps: stages,
        advance: 'until-low',
      },
      pins: { messages: ['m'], tags: ['t'], tools: ['find'], exemptTools: ['x'] },
      plan: { goal: 'g', steps: [{ title: 'a', state: 'todo', tag: 't' }] },
      recall: { limit: 3, budget: 100, kinds: ['message'] },
      bytes: { dialect: 'openai', max: 100_000 },
      dialect: 'anthropic',
      cacheMarks: true,
      blobs: true,
    },
  ],
  'contexts.compact': [{ policy: 'balanced', budget: 100, force: true, dryRun: true, pins: { tags: ['t'] } }],
  'contexts.undo': [{ compaction: 1 }],
  'recall.ask': [
    {
      query: 'what does Ada like?',
      limit: 3,
      budget: 200,
      kinds: ['message', 'fact'],
      since: '2026-01-01T00:00:00Z',
      until: '2026-12-31T00:00:00Z',
      asOf: '2027-11-01T00:00:00Z',
      explain: true,
    },
  ],
  'facts.remember': [
    { facts: fact, channel: 'user' },
    { facts: [fact, 'Ada has a cat'] },
    { facts: { ...fact, expect: 1 } },
  ],
  'facts.retract': [{ reason: 'wrong', channel: 'user', expect: 1 }],
  'facts.restore': [{ expect: 2 }],
  'facts.endorse': [{ channel: 'user', reason: 'seen', expect: 1 }],
  'facts.rollBack': [{ source: { session: 's', message: 'm' } }],
  'facts.forget': [
    { subject: 'Ada', dryRun: true },
    { message: 'm', session: 's', reason: 'asked' },
  ],
  'retention.set': [{ policy: { days: 30, messages: 100 } }],
  'imports.batch': [
    {
      batch: {
        session: 'imported',
        from: { session: 's', after: null },
        messages: [{ id: 'i', role: 'user', parts: [{ type: 'text', text: 'x' }] }],
        facts: [fact],
      },
      dryRun: false,
    },
  ],
  'graph.around': [{ around: ['Ada'], depth: 2, limit: 10, asOf: { version: 0 }, at: '2026-01-01T00:00:00Z' }],
  'graph.path': [{ from: 'Ada', to: 'Tea', maxDepth: 3 }],
  'graph.predicate': [{ single: true }],
  'proposals.propose': [
    { suggestion: { merge: ['Ada', 'Adah'] }, reason: 'same' },
    { suggestion: { split: 'Ada', into: { name: 'Ada B', type: 'person' }, facts: ['f'] } },
    { suggestion: { stale: ['f'] } },
  ],
  'proposals.consolidate': [{ staleAfterDays: 10, limit: 5 }],
  'memory.verifyForgotten': [{ receipt: { id: 'r', sessions: ['s'] }, samples: ['secret', [0.1, 0.2, 0.3, 0.4]] }],
  'keys.create': [{ scope: 'acme', can: ['read'], name: 'n', expiresAt: '2030-01-01' }],
}
