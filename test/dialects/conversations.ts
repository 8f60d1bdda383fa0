import type { Draft } from '../../src/domain/message.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = Buffer.from('%PDF-1.4 not really').toString('base64')

function user(text: string): Draft {
  return { role: 'user', parts: [{ type: 'text', text }] }
}

/** Valid conversations that the AI SDK's providers can send as well: the cases of the oracle, and of the golden tests. */
export const conversations: Readonly<Record<string, readonly Draft[]>> = {
  'one line': [user('Hello')],

  'system, question, answer, question': [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    user('Who are you?'),
    { role: 'assistant', parts: [{ type: 'text', text: 'A helper.' }] },
    user('Good.'),
  ],

  'several system messages': [
    { role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
    {
      role: 'system',
      parts: [{ type: 'text', text: 'Be kind.', provider: { anthropic: { cacheControl: { type: 'ephemeral' } } } }],
    },
    user('Hello'),
  ],

  // A question, a call, its result and the reply.
  'reasoning, a call and its result': [
    user('What is the weather in Paris?'),
    {
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: 'I should look it up.',
          provider: {
            anthropic: { signature: 'sig-1' },
            openai: { itemId: 'rs_1', reasoningEncryptedContent: 'enc-1' },
            google: { thoughtSignature: 'ts-1' },
          },
        },
        {
          type: 'tool-call',
          id: 'call_1',
          name: 'get_weather',
          arguments: '{"city":"Paris"}',
          provider: { openai: { itemId: 'fc_1' }, google: { thoughtSignature: 'ts-2' } },
        },
      ],
    },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'call_1',
          name: 'get_weather',
          output: { type: 'json', value: { celsius: 21 } },
        },
      ],
    },
    user('Thank you'),
  ],

  'parallel calls with text, json and error results': [
    user('Compare Paris and Rome'),
    {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'Looking both up.' },
        { type: 'tool-call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
        { type: 'tool-call', id: 'call_2', name: 'get_weather', arguments: '{"city":"Rome"}' },
        { type: 'tool-call', id: 'call_3', name: 'get_time', arguments: '{}' },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'tool-result', callId: 'call_1', name: 'get_weather', output: { type: 'text', text: 'sunny' } },
        {
          type: 'tool-result',
          callId: 'call_2',
          name: 'get_weather',
          output: { type: 'json', value: [1, { a: null }] },
        },
        {
          type: 'tool-result',
          callId: 'call_3',
          name: 'get_time',
          output: { type: 'text', text: 'no clock' },
          outcome: 'error',
        },
      ],
    },
    { role: 'assistant', parts: [{ type: 'text', text: 'Paris is sunny.' }] },
    user('And tomorrow?'),
  ],

  'results in several tool messages': [
    user('Two things'),
    {
      role: 'assistant',
      parts: [
        { type: 'tool-call', id: 'call_1', name: 'a', arguments: '{}' },
        { type: 'tool-call', id: 'call_2', name: 'b', arguments: '{}' },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'call_1', name: 'a', output: { type: 'text', text: 'one' } }],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'call_2', name: 'b', output: { type: 'text', text: 'two' } }],
    },
  ],

  'two steps, each with its reasoning': [
    user('Plan a trip'),
    {
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: 'First the weather.',
          provider: { anthropic: { signature: 'sig-1' }, openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e1' } },
        },
        { type: 'tool-call', id: 'call_1', name: 'get_weather', arguments: '{"city":"Paris"}' },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'call_1', name: 'get_weather', output: { type: 'text', text: 'rain' } }],
    },
    {
      role: 'assistant',
      parts: [
        {
          type: 'reasoning',
          text: 'Now trains.',
          provider: { anthropic: { signature: 'sig-2' }, openai: { itemId: 'rs_2', reasoningEncryptedContent: 'e2' } },
        },
        { type: 'text', text: 'It rains; checking trains.', provider: { openai: { itemId: 'msg_1' } } },
        { type: 'tool-call', id: 'call_2', name: 'find_trains', arguments: '{"to":"Paris"}' },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'tool-result', callId: 'call_2', name: 'find_trains', output: { type: 'json', value: { trains: [] } } },
      ],
    },
    user('Go on'),
  ],

  'reasoning in two paragraphs': [
    user('Think'),
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'One.', provider: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e1' } } },
        { type: 'reasoning', text: 'Two.', provider: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'e1' } } },
        { type: 'text', text: 'Done.' },
      ],
    },
    user('Thanks'),
  ],

  'redacted thinking': [
    user('Think'),
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: '', provider: { anthropic: { redactedData: 'opaque' } } },
        { type: 'text', text: 'Done.' },
      ],
    },
    user('Thanks'),
  ],

  'text after a call': [
    user('Do it'),
    {
      role: 'assistant',
      parts: [
        { type: 'tool-call', id: 'call_1', name: 'save', arguments: '{}' },
        { type: 'text', text: 'Saving now.' },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'call_1', name: 'save', output: { type: 'text', text: 'saved' } }],
    },
    user('Good'),
  ],

  'an image by bytes and a document': [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', source: { type: 'base64', base64: PNG }, mediaType: 'image/png' },
        { type: 'file', source: { type: 'base64', base64: PDF }, mediaType: 'application/pdf', name: 'a.pdf' },
      ],
    },
  ],

  'a denied call': [
    user('Delete everything'),
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'call_1', name: 'delete_all', arguments: '{}' }] },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'call_1',
          name: 'delete_all',
          output: { type: 'text', text: 'not today' },
          outcome: 'denied',
        },
      ],
    },
    user('Fine'),
  ],

  'a result with text and an image': [
    user('Screenshot, please'),
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'call_1', name: 'screenshot', arguments: '{}' }] },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'call_1',
          name: 'screenshot',
          output: {
            type: 'parts',
            parts: [
              { type: 'text', text: 'The page:' },
              { type: 'image', source: { type: 'base64', base64: PNG }, mediaType: 'image/png' },
            ],
          },
        },
      ],
    },
    user('And?'),
  ],

  'consecutive user messages': [
    user('One'),
    user('Two'),
    { role: 'assistant', parts: [{ type: 'text', text: 'Both.' }] },
    user('Three'),
  ],

  'a reply with white space around it': [
    user('Go'),
    { role: 'assistant', parts: [{ type: 'text', text: '  indented\n' }] },
    user('Next'),
  ],

  'cache marks on parts and on a message': [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'Long text', provider: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
        { type: 'text', text: 'Question' },
      ],
    },
    {
      role: 'assistant',
      parts: [{ type: 'text', text: 'Answer' }],
      provider: { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } },
    },
    user('More'),
  ],

  'a call whose arguments are wrapped': [
    user('Go'),
    {
      role: 'assistant',
      parts: [{ type: 'tool-call', id: 'call_1', name: 'save', arguments: '{"rawInvalidInput":"{\\"a\\": 1"}' }],
    },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'call_1',
          name: 'save',
          output: { type: 'text', text: 'bad input' },
          outcome: 'error',
        },
      ],
    },
    user('Again'),
  ],

  'a call that was interrupted': [
    user('Go'),
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'call_1', name: 'save', arguments: '{}' }] },
    {
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'call_1',
          name: 'save',
          output: { type: 'json', value: { why: 'stopped' } },
          outcome: 'error',
        },
      ],
    },
    user('Again'),
  ],
}
