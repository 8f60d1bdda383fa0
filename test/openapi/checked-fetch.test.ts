import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { checkedFetch, violations } from './checked-fetch.ts'

const RECALL = 'http://daybook.test/v1/scopes/a/recall'

/** What is found when a server responds in this way. */
async function found(url: string, init: RequestInit, response: Response): Promise<readonly string[]> {
  await checkedFetch(async () => response)(url, init)
  return violations.splice(0)
}

const asked = (body: object): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })
const answer = { items: [], dropped: [] }

describe('[surface-31] the check of requests and responses', () => {
  it('finds nothing where both are as described', async () => {
    expect(await found(RECALL, asked({ query: 'tea?' }), Response.json(answer))).toEqual([])
  })

  it.each([
    ['a field that is not described', { query: 'tea?', fast: true }, 'must NOT have additional properties'],
    ['a field that is missing', {}, "must have required property 'query'"],
    ['a value of another type', { query: 'tea?', limit: '5' }, 'request/limit must be integer'],
  ])('finds %s in a request that was accepted', async (_, body, problem) => {
    expect(await found(RECALL, asked(body), Response.json(answer))).toEqual([expect.stringContaining(problem)])
  })

  it('lets a request be anything that was refused with a problem document', async () => {
    const problem = { type: 't', title: 't', status: 422, code: 'input/invalid', detail: 'd', details: {} }
    const headers = { 'content-type': 'application/problem+json' }
    expect(await found(RECALL, asked({}), Response.json(problem, { status: 422, headers }))).toEqual([])
    expect(await found(RECALL, asked({}), Response.json({}, { status: 422, headers }))).toHaveLength(1)
  })

  it.each([
    ['a response without a field', Response.json({ items: [] }), "must have required property 'dropped'"],
    ['another status', Response.json(answer, { status: 202 }), 'status 202 is not described'],
    ['another media type', new Response('{}', { headers: { 'content-type': 'text/plain' } }), 'media type text/plain'],
  ])('finds %s', async (_, response, problem) => {
    expect(await found(RECALL, asked({ query: 'tea?' }), response)).toEqual([expect.stringContaining(problem)])
  })

  it('finds a wrong query parameter and a wrong line of a stream', async () => {
    const sessions = 'http://daybook.test/v1/scopes/a/sessions/s'
    const history = Response.json({ messages: [] })
    expect(await found(`${sessions}/messages?newest=true`, {}, history)).toEqual([
      expect.stringContaining('query parameter newest is not described'),
    ])
    const headers = { 'content-type': 'application/x-ndjson' }
    const response = await checkedFetch(async () => new Response('{"id":1}\n', { headers }))(
      `${sessions}/messages/export`,
    )
    await response.text()
    expect(violations.splice(0)).toEqual([expect.stringContaining('must have required property')])
  })

  it('finds a wrong line of a body', async () => {
    const url = 'http://daybook.test/v1/scopes/a/sessions/s/messages/bulk'
    const headers = { 'content-type': 'application/x-ndjson' }
    const answered = checkedFetch(async (request) => {
      await (request as Request).text()
      return Response.json({ appended: 2, lastSeq: 2, warnings: 0 })
    })
    const body = '{"role":"user","content":"a"}\n{"role":"nobody","content":"b"}\n'
    await answered(new Request(url, { method: 'POST', headers, body }))
    expect(violations.splice(0)).toEqual([expect.stringContaining('line/role must be equal to one of')])
  })

  it('is made of every request of a test to a port', async () => {
    const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{}'))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    try {
      await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/keys`)).json()
      expect(violations.splice(0)).toEqual([expect.stringContaining('keys.list: response 200 must have required')])
    } finally {
      server.close()
    }
  })
})
