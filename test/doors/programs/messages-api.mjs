// Plays the part of Anthropic's Messages API for Claude Code: reads the order with a tool if there is one, then says what it was asked.
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

/** What Claude Code sent: the messages of each request to the API. */
export const requests = []

const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

const server = createServer(async (request, response) => {
  const isMessages = request.method === 'POST' && request.url?.startsWith('/v1/messages?') === true
  if (!isMessages) {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end('{"type":"error","error":{"type":"not_found_error","message":"not here"}}')
    return
  }
  const { messages, model, tools = [] } = await json(request)
  requests.push({ key: request.headers['x-api-key'], messages })
  const said = messages.filter(({ role }) => role === 'user')
  const last = JSON.stringify(said.at(-1).content)
  const tool = tools.find(({ name }) => name.endsWith('__find_order'))
  const block =
    tool !== undefined && last.includes('order is') && !last.includes('tool_result')
      ? { type: 'tool_use', id: `toolu_${requests.length}`, name: tool.name, input: {} }
      : { type: 'text', text: `You said ${said.length} things.` }
  stream(response, { model, id: `msg_${requests.length}`, block })
})

function stream(response, { model, id, block }) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type, fields) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null }
  const isText = block.type === 'text'
  send('message_start', { message: { ...message, usage } })
  send('content_block_start', { index: 0, content_block: isText ? { ...block, text: '' } : block })
  const delta = isText
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  send('content_block_delta', { index: 0, delta })
  send('content_block_stop', { index: 0 })
  send('message_delta', { delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null }, usage })
  send('message_stop', {})
  response.end()
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
// A program ends when its own work is done.
server.unref()

/** The environment of Claude Code with this API, in a home where nothing is. */
export function claudeEnv(key = 'none') {
  const home = mkdtempSync(join(tmpdir(), 'daybook-claude-'))
  return {
    PATH: process.env.PATH,
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'config'),
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}
