import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const EXAMPLE = join(import.meta.dirname, '../../examples/agent-loop.ts')

async function run(env: Record<string, string>): Promise<string> {
  const given = { ...process.env, DAYBOOK_MEMORY: ':memory:', ...env }
  return (await promisify(execFile)(process.execPath, [EXAMPLE], { env: given })).stdout
}

it('[contexts-46] the example of a loop runs with a script', async () => {
  const output = await run({})
  expect(output).toContain('calls track_parcel {"parcel":"7731"}')
  expect(output).toContain("type: 'replied'")
  expect(output).toContain('tomorrow')
})

it('[contexts-46] the example of a loop runs with an OpenAI-compatible address', async () => {
  interface Body {
    readonly messages: readonly { readonly role: string; readonly content: string }[]
    readonly tools: readonly unknown[]
  }
  const bodies: Body[] = []
  const replies = [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'track_parcel', arguments: '{"parcel":"7731"}' } }],
    },
    { role: 'assistant', content: 'It arrives tomorrow.' },
  ]
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(Buffer.concat(await request.toArray()).toString()) as Body)
    const message = replies[bodies.length - 1]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', choices: [{ index: 0, message }] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    const output = await run({ DAYBOOK_BASE_URL: `http://127.0.0.1:${port}/v1`, DAYBOOK_MODEL: 'local' })
    expect(output).toContain('It arrives tomorrow.')
    expect(bodies[0]).toMatchObject({ model: 'local', tools: [{ function: { name: 'track_parcel' } }] })
    expect(bodies[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  } finally {
    server.close()
  }
})
