/**
 * A chat in the browser: the conversation is still there after a reload, and it goes on in another tab.
 *
 *   node examples/browser-chat/server.ts
 *
 * Open http://localhost:3000. Set DAYBOOK_BASE_URL and DAYBOOK_MODEL for a real model (see ../model.ts).
 */
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import process from 'node:process'
import { type TurnModelFunction, openMemory, runTurn, textOf } from '../../src/index.ts'
import type { TurnEvent } from '../../src/api/turn.ts'
import { realModel } from '../model.ts'

const { DAYBOOK_MEMORY: file = 'browser-chat.db', PORT: port = '3000' } = process.env
const memory = await openMemory(file)
// One person for this example. In a program for many, take the scope from your login, never from the request's body.
const chat = memory.scope('acme/ada').session('browser')

/** Says back what it was told, word by word. */
const script: TurnModelFunction = ({ context, onText }) => {
  const said = context.messages.filter(({ role }) => role === 'user')
  const reply = `You said ${said.length} things. The first was: ${said.slice(0, 1).map(textOf).join('')}`
  for (const word of reply.match(/\S+\s*/g) ?? []) onText(word)
  return reply
}
const model = realModel() ?? script

const routes: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>> = {
  'GET /': async (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(await readFile(new URL('page.html', import.meta.url)))
  },
  'GET /messages': async (_, response) => {
    const messages = await chat.recent(50)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(messages.map((message) => ({ role: message.role, text: textOf(message) }))))
  },
  // The reply is sent while it comes. It is also stored while it comes: if the browser goes away, nothing is lost.
  'POST /messages': async (request, response) => {
    const input = await text(request)
    response.setHeader('content-type', 'text/plain; charset=utf-8')
    const context = { budget: 8_000, system: 'You help customers of Acme.', recall: true } as const
    let sent = 0
    const send = (delta: string): void => {
      sent += delta.length
      response.write(delta)
    }
    const onEvent = (event: TurnEvent): void => void (event.type === 'text' && send(event.delta))
    const result = await runTurn(chat, { model, input, context, onEvent })
    // A model that does not stream replies all at once.
    response.end(result.type === 'replied' ? result.text.slice(sent) : '')
  },
}

const server = createServer((request, response) => {
  const route = routes[`${request.method} ${request.url}`]
  if (route === undefined) return void response.writeHead(404).end()
  route(request, response).catch((error: unknown) => {
    console.error(error)
    if (response.headersSent) response.destroy()
    else response.writeHead(500).end('The reply failed. What you wrote is stored.')
  })
})
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://localhost:${typeof address === 'object' ? address?.port : port}`)
})
process.once('SIGTERM', () => server.close(() => void memory.close()).closeAllConnections())
