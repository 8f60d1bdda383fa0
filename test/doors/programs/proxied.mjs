// The official SDKs of OpenAI and Anthropic through `daybook proxy`, with a provider on loopback.
import { deepStrictEqual } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import { openMemory } from 'daybook'
import OpenAI from 'openai'

const sse = (all) =>
  all
    .map(
      (one) =>
        `${one.type === undefined ? '' : `event: ${one.type}\n`}data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`,
    )
    .join('')
const chunk = (delta, finish_reason = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'gpt-5',
  choices: [{ index: 0, delta, finish_reason }],
})
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
}
let turns = 0
const provider = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
  if (JSON.stringify(body).includes('Fail!'))
    return response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"type":"error","error":{"type":"invalid_request_error","message":"no"}}')
  if (request.url.endsWith('/responses')) {
    const id = `resp_${(turns += 1)}`
    const content = [{ type: 'output_text', text: 'Hello Ada.', annotations: [] }]
    const item = { id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content }
    const whole = { id, object: 'response', created_at: 1, status: 'completed', model: 'gpt-5', output: [item] }
    if (body.stream !== true) return response.setHeader('content-type', 'application/json').end(JSON.stringify(whole))
    response.setHeader('content-type', 'text/event-stream')
    const begun = { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }
    return response.end(sse([begun, { type: 'response.completed', response: whole }]))
  }
  response.setHeader('content-type', 'text/event-stream')
  if (request.url.endsWith('/chat/completions'))
    response.end(
      sse([chunk({ role: 'assistant', content: 'Hello ' }), chunk({ content: 'Ada.' }), chunk({}, 'stop'), '[DONE]']),
    )
  else
    response.end(
      sse([
        { type: 'message_start', message },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello Ada.' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ]),
    )
})
provider.listen(0, '127.0.0.1')
await once(provider, 'listening')
const upstream = `http://127.0.0.1:${provider.address().port}`
const file = `proxied-${process.pid}.db`
const words = [
  'node_modules/daybook/dist/cli/main.js',
  'proxy',
  '--create',
  '--memory',
  file,
  '--scope',
  'acme/ada',
  '--port',
  '0',
  '--openai',
  upstream,
  '--anthropic',
  upstream,
]
const daybook = spawn(process.execPath, words)
let printed = ''
const url = await new Promise((resolve, reject) => {
  daybook.stderr.on('data', (piece) => {
    printed += piece
    const found = /ANTHROPIC_BASE_URL=(\S+?)\. /.exec(printed)
    if (found !== null) resolve(found[1])
  })
  daybook.once('close', () => reject(new Error(printed)))
})

const openai = new OpenAI({
  apiKey: 'k',
  baseURL: `${url}/v1`,
  maxRetries: 0,
  defaultHeaders: { 'x-daybook-session': 'openai' },
})
const messages = [{ role: 'user', content: 'I am Ada.' }]
let said = ''
for await (const { choices } of await openai.chat.completions.create({ model: 'gpt-5', messages, stream: true }))
  said += choices[0].delta.content ?? ''
deepStrictEqual(said, 'Hello Ada.')
const later = [...messages, { role: 'assistant', content: said }, { role: 'user', content: 'Thanks.' }]
for await (const _ of await openai.chat.completions.create({ model: 'gpt-5', messages: later, stream: true }));

const headers = { headers: { 'x-daybook-session': 'responses' } }
const first = await openai.responses.create({ model: 'gpt-5', input: 'I am Ada.' }, headers)
deepStrictEqual(first.output_text, 'Hello Ada.')
const input = [{ role: 'user', content: 'I am Ada.' }, ...first.output, { role: 'user', content: 'Thanks.' }]
let second
for await (const event of await openai.responses.create({ model: 'gpt-5', input, stream: true }, headers))
  if (event.type === 'response.completed') second = event.response
await openai.responses.create({ model: 'gpt-5', input: 'Bye.', previous_response_id: second.id }, headers)

const anthropic = new Anthropic({
  apiKey: 'k',
  baseURL: url,
  maxRetries: 0,
  defaultHeaders: { 'x-daybook-session': 'anthropic' },
})
const reply = await anthropic.messages.stream({ model: 'claude-opus-5', max_tokens: 99, messages }).finalMessage()
deepStrictEqual(reply.content[0].text, 'Hello Ada.')
const failed = [{ role: 'user', content: 'Fail!' }]
await anthropic.messages
  .create({ model: 'claude-opus-5', max_tokens: 99, messages: failed }, { headers: { 'x-daybook-session': 'failed' } })
  .then(
    () => deepStrictEqual('an error', 'none'),
    (error) => deepStrictEqual([error.status, error.error?.error?.message], [400, 'no']),
  )

daybook.kill('SIGTERM')
await once(daybook, 'close')
provider.close()
const memory = await openMemory(file)
const texts = async (id) => (await memory.scope('acme/ada').session(id).history()).map(({ parts: [{ text }] }) => text)
deepStrictEqual(await texts('openai'), ['I am Ada.', 'Hello Ada.', 'Thanks.', 'Hello Ada.'])
const hello = 'Hello Ada.'
deepStrictEqual(await texts('responses'), ['I am Ada.', hello, 'Thanks.', hello, 'Bye.', hello])
deepStrictEqual(await texts('anthropic'), ['I am Ada.', 'Hello Ada.'])
deepStrictEqual(await texts('failed'), ['Fail!'])
await memory.close()
console.log('proxied')
