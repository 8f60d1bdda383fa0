import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface ScriptedProvider extends AsyncDisposable {
  readonly address: string
  /** The bodies that it was sent. */
  readonly requests: readonly unknown[]
}

/** An OpenAI-compatible address that gives these replies, one for each call, as a stream if it is asked for one. */
export async function scriptedProvider(replies: readonly string[]): Promise<ScriptedProvider> {
  const requests: unknown[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const reply = replies[requests.push(body) - 1] ?? 'I have nothing more to say.'
      if ((body as { readonly stream?: boolean }).stream !== true) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(whole(reply)))
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      for (const delta of [{ role: 'assistant', content: '' }, ...words(reply)]) response.write(event({ delta }))
      response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function whole(reply: string): object {
  const choice = { index: 0, message: { role: 'assistant', content: reply }, finish_reason: 'stop' }
  return { id: 'c', object: 'chat.completion', created: 0, model: 'scripted', choices: [choice] }
}

function words(reply: string): readonly { readonly content: string }[] {
  return (reply.match(/\S+\s*/g) ?? []).map((content) => ({ content }))
}

function event(choice: object): string {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, ...choice }],
  }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
