import type { Dialect } from '../../src/domain/dialect.ts'

export interface Golden {
  readonly name: string
  readonly wire: object
}

const PNG = 'iVBORw0KGgo='

/**
 * Transcripts in the form that `convert` writes, with every opaque field that the provider sends. Reading them and
 * writing them again must give them back, byte for byte but for the order of keys.
 */
export const goldens: Readonly<Record<Exclude<Dialect, 'daybook'>, readonly Golden[]>> = {
  openai: [
    {
      name: 'names, detail, refusal, audio, custom tools, cache breakpoints, unknown fields',
      wire: [
        { role: 'developer', content: 'Be brief.', name: 'boss' },
        {
          role: 'user',
          name: 'ada',
          content: [
            { type: 'text', text: 'look', prompt_cache_breakpoint: { mode: 'explicit' } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'file', file: { file_id: 'file-1' } },
            { type: 'future', thing: 1 },
          ],
        },
        { role: 'assistant', content: null, refusal: 'No.' },
        { role: 'user', content: 'why' },
        { role: 'assistant', content: null, audio: { id: 'audio_1' } },
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: 'ok',
          reasoning_content: 'hm',
          annotations: [{ type: 'url_citation' }],
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'f', arguments: '{ "a": 1.0 }' } },
            { id: 'c2', type: 'custom', custom: { name: 'g', input: 'free text' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"error":"late"}' },
        {
          role: 'tool',
          tool_call_id: 'c2',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
    },
  ],
  'openai-responses': [
    {
      name: 'item ids, encrypted reasoning, phase, status, annotations, compaction, hosted and client tools',
      wire: [
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'opaque', created_by: 'server' },
        { type: 'message', role: 'developer', content: 'Be brief.' },
        {
          type: 'message',
          role: 'user',
          id: 'msg_u',
          content: [
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'high' },
            { type: 'input_image', file_id: 'file_1' },
            { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
            { type: 'input_file', file_url: 'https://example.com/b.pdf' },
          ],
        },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [
            { type: 'summary_text', text: 'One' },
            { type: 'summary_text', text: 'Two' },
          ],
          content: [{ type: 'reasoning_text', text: 'raw' }],
          encrypted_content: 'enc',
          status: 'completed',
        },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          phase: 'commentary',
          content: [
            {
              type: 'output_text',
              text: 'a',
              annotations: [{ type: 'url_citation', url: 'https://example.com' }],
              logprobs: [],
            },
            { type: 'output_text', text: 'b', annotations: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'c1',
          name: 'f',
          arguments: '{ "a": 1.0 }',
          status: 'completed',
          namespace: 'ns',
        },
        { type: 'custom_tool_call', id: 'ct_1', call_id: 'c2', name: 'g', input: 'free text' },
        {
          type: 'computer_call',
          id: 'cc_1',
          call_id: 'c3',
          actions: [],
          pending_safety_checks: [],
          status: 'completed',
        },
        { type: 'function_call_output', id: 'fco_1', call_id: 'c1', output: 'x', status: 'completed' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'y' }] },
        {
          type: 'computer_call_output',
          call_id: 'c3',
          output: { type: 'computer_screenshot', image_url: 'https://example.com/s.png' },
        },
        { type: 'message', role: 'assistant', content: 'plain' },
        { type: 'item_reference', id: 'msg_9' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'end' }] },
        { type: 'compaction_trigger' },
      ],
    },
  ],
  anthropic: [
    {
      name: 'signatures, redacted thinking, citations, cache marks, server tools, MCP, documents, compaction',
      wire: {
        system: [
          { type: 'text', text: 'Be brief.' },
          { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } },
        ],
        messages: [
          {
            role: 'assistant',
            content: [{ type: 'compaction', content: 'so far', signature: 'cs', encrypted_content: null }],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look', cache_control: { type: 'ephemeral' } },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
              { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
              { type: 'image', source: { type: 'file', file_id: 'file_1' } },
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
                title: 'a.pdf',
                context: 'c',
                citations: { enabled: true },
              },
              { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain ü' } },
            ],
          },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'sig' },
              { type: 'redacted_thinking', data: 'opaque' },
              { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'x' } },
              {
                type: 'web_search_tool_result',
                tool_use_id: 'srv_1',
                content: [{ type: 'web_search_result', url: 'https://example.com', encrypted_content: 'e' }],
              },
              { type: 'mcp_tool_use', id: 'mcp_1', name: 'm', server_name: 's', input: {} },
              {
                type: 'mcp_tool_result',
                tool_use_id: 'mcp_1',
                is_error: false,
                content: [{ type: 'text', text: 'x' }],
              },
              {
                type: 'text',
                text: 'found',
                citations: [{ type: 'web_search_result_location', url: 'https://example.com' }],
              },
              { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } },
              { type: 'tool_use', id: 't2', name: 'f', input: {} },
              { type: 'tool_use', id: 't3', name: 'f', input: {} },
            ],
          },
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 't1', content: 'x', cache_control: { type: 'ephemeral' } },
              {
                type: 'tool_result',
                tool_use_id: 't2',
                content: [
                  { type: 'text', text: 'y' },
                  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
                ],
                is_error: true,
              },
              { type: 'tool_result', tool_use_id: 't3', content: [{ type: 'tool_reference', tool_name: 'g' }] },
              { type: 'text', text: 'and now?' },
            ],
          },
        ],
      },
    },
  ],
  gemini: [
    {
      name: 'signatures, thoughts, calls with and without ids, code execution, media in results',
      wire: {
        systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'look' },
              { inlineData: { mimeType: 'image/png', data: PNG } },
              { fileData: { mimeType: 'video/mp4', fileUri: 'gs://b/v' }, videoMetadata: { fps: 1 } },
            ],
          },
          {
            role: 'model',
            parts: [
              { text: 'hm', thought: true, thoughtSignature: 'ts0' },
              { executableCode: { language: 'PYTHON', code: '1' } },
              { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
              { text: '', thoughtSignature: 'ts1' },
              { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'ts2' },
              { functionCall: { id: 'c2', name: 'f', args: {} } },
              { functionCall: { id: 'c3', name: 'g', args: {} } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'c1', name: 'f', response: { name: 'f', content: { t: 1 } } } },
              { functionResponse: { id: 'c2', name: 'f', response: { result: 'own form' } } },
              {
                functionResponse: {
                  id: 'c3',
                  name: 'g',
                  response: { name: 'g', content: 'see' },
                  parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }],
                },
              },
            ],
          },
          { role: 'user', parts: [{ text: 'more' }] },
          {
            role: 'model',
            parts: [{ functionCall: { name: 'f', args: {} } }, { functionCall: { name: 'f', args: { b: 2 } } }],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'f', response: { name: 'f', error: 'late' } } },
              { functionResponse: { name: 'f', response: { output: 2 } } },
            ],
          },
        ],
      },
    },
  ],
  'ai-sdk': [
    {
      name: 'provider options everywhere, approvals, provider-run tools, all outputs, compaction',
      wire: {
        instructions: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'system',
            content: 'Be kind.',
            providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
          },
        ],
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'look', providerOptions: { openai: { x: 1 } } },
              { type: 'file', data: PNG, mediaType: 'image/png', providerOptions: { openai: { imageDetail: 'low' } } },
              { type: 'file', data: 'https://example.com/a.pdf', mediaType: 'application/pdf', filename: 'a.pdf' },
              {
                type: 'file',
                data: { type: 'reference', reference: { openai: 'file_1' } },
                mediaType: 'application/pdf',
              },
            ],
            providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
          },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'so far', providerOptions: { anthropic: { type: 'compaction', signature: 's' } } },
              {
                type: 'custom',
                kind: 'openai.compaction',
                providerOptions: { openai: { type: 'compaction', itemId: 'cmp_1', encryptedContent: 'e' } },
              },
              { type: 'custom', kind: 'x.y', providerOptions: { x: { z: 1 } } },
              { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 'sig' } } },
              { type: 'reasoning-file', data: PNG, mediaType: 'image/png' },
              { type: 'tool-call', toolCallId: 'p1', toolName: 'web_search', input: {}, providerExecuted: true },
              { type: 'tool-result', toolCallId: 'p1', toolName: 'web_search', output: { type: 'json', value: [] } },
              {
                type: 'tool-call',
                toolCallId: 'c1',
                toolName: 'f',
                input: { a: 1 },
                providerOptions: { google: { thoughtSignature: 'ts' } },
              },
              { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
              { type: 'tool-call', toolCallId: 'c2', toolName: 'f', input: {} },
              { type: 'tool-call', toolCallId: 'c3', toolName: 'f', input: {} },
              { type: 'tool-call', toolCallId: 'c4', toolName: 'f', input: {} },
              { type: 'tool-call', toolCallId: 'c5', toolName: 'f', input: {} },
            ],
          },
          {
            role: 'tool',
            content: [
              { type: 'tool-approval-response', approvalId: 'a1', approved: true, reason: 'fine' },
              {
                type: 'tool-result',
                toolCallId: 'c1',
                toolName: 'f',
                output: {
                  type: 'content',
                  value: [
                    { type: 'text', text: 'x', providerOptions: { a: { b: 1 } } },
                    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PNG } },
                    { type: 'file-url', url: 'https://example.com/a.png', mediaType: 'image/png' },
                  ],
                },
              },
              {
                type: 'tool-result',
                toolCallId: 'c2',
                toolName: 'f',
                output: { type: 'error-json', value: { e: 1 }, providerOptions: { a: { b: 1 } } },
              },
              {
                type: 'tool-result',
                toolCallId: 'c3',
                toolName: 'f',
                output: { type: 'execution-denied', reason: 'no' },
              },
              {
                type: 'tool-result',
                toolCallId: 'c4',
                toolName: 'f',
                output: { type: 'error-text', value: 'late' },
                providerOptions: { a: { b: 1 } },
              },
              {
                type: 'tool-result',
                toolCallId: 'c5',
                toolName: 'f',
                output: {
                  type: 'content',
                  value: [{ type: 'custom', providerOptions: { anthropic: { type: 'tool-reference' } } }],
                },
              },
            ],
          },
        ],
      },
    },
  ],
  'ai-sdk-ui': [
    {
      name: 'ids, metadata, steps, states, sources, data, steering, approvals',
      wire: [
        { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
        {
          id: 'u1',
          role: 'user',
          metadata: { at: 1 },
          parts: [
            { type: 'text', text: 'look' },
            { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${PNG}`, filename: 'a.png' },
            { type: 'data-note', id: 'n', data: { x: 1 } },
          ],
        },
        {
          id: 'a1',
          role: 'assistant',
          metadata: { model: 'x' },
          parts: [
            { type: 'step-start' },
            {
              type: 'reasoning',
              id: 'r',
              text: 'hm',
              state: 'done',
              providerMetadata: { anthropic: { signature: 'sig' } },
            },
            { type: 'source-url', sourceId: 's1', url: 'https://example.com', title: 't' },
            {
              type: 'tool-f',
              toolCallId: 'c1',
              state: 'output-available',
              input: { a: 1 },
              output: { t: 1 },
              callProviderMetadata: { google: { thoughtSignature: 'ts' } },
              resultProviderMetadata: { x: { y: 1 } },
              title: 'F',
            },
            {
              type: 'dynamic-tool',
              toolName: 'g',
              toolCallId: 'c2',
              state: 'output-error',
              input: {},
              errorText: 'late',
            },
            {
              type: 'tool-f',
              toolCallId: 'c3',
              state: 'output-denied',
              input: {},
              approval: { id: 'ap', approved: false, reason: 'no' },
            },
            {
              type: 'tool-f',
              toolCallId: 'c4',
              state: 'output-available',
              input: {},
              output: 'x',
              approval: { id: 'aq', approved: true },
            },
            { type: 'step-start' },
            {
              type: 'tool-web',
              toolCallId: 'p1',
              state: 'output-available',
              input: {},
              output: [],
              providerExecuted: true,
            },
            { type: 'text', text: 'done', state: 'done', citations: [] },
            { type: 'steering-message', id: 'st', parts: [{ type: 'text', text: 'shorter' }] },
            { type: 'step-start' },
            { type: 'text', text: 'ok' },
          ],
        },
        { id: 'a2', role: 'assistant', parts: [{ type: 'text', text: 'and more' }] },
        { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'yes' }] },
        {
          id: 'a3',
          role: 'assistant',
          parts: [
            {
              type: 'tool-f',
              toolCallId: 'c5',
              state: 'approval-responded',
              input: {},
              approval: { id: 'ar', approved: true },
            },
          ],
        },
      ],
    },
  ],
  langchain: [
    {
      name: 'ids, names, kwargs, metadata, thinking, statuses, artifacts',
      wire: [
        { type: 'system', data: { content: 'Be brief.', additional_kwargs: {}, response_metadata: {} } },
        {
          type: 'human',
          data: {
            content: [
              { type: 'text', text: 'look', cache_control: { type: 'ephemeral' } },
              { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
              { type: 'future', x: 1 },
            ],
            id: 'h1',
            name: 'ada',
            additional_kwargs: { k: 1 },
            response_metadata: {},
          },
        },
        {
          type: 'ai',
          data: {
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'sig' },
              { type: 'redacted_thinking', data: 'opaque' },
              { type: 'reasoning', reasoning: 'why' },
              { type: 'text', text: 'ok' },
            ],
            id: 'run-1',
            tool_calls: [{ type: 'tool_call', id: 'c1', name: 'f', args: { a: 1 } }],
            usage_metadata: { input_tokens: 1 },
            additional_kwargs: {},
            response_metadata: { model_name: 'm' },
          },
        },
        {
          type: 'tool',
          data: {
            content: 'x',
            tool_call_id: 'c1',
            name: 'f',
            status: 'error',
            artifact: [1],
            additional_kwargs: {},
            response_metadata: {},
          },
        },
        { type: 'human', data: { content: 'end', additional_kwargs: {}, response_metadata: {} } },
      ],
    },
  ],
}
