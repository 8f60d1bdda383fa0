import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ForgetReceipt } from '../../src/domain/forget-receipt.ts'
import type { Message } from '../../src/domain/message.ts'
import type { LogLine } from '../../src/server/log-line.ts'
import { surface } from '../../src/surface/index.ts'
import type { Problem } from '../../src/wire/problem.ts'
import { chainActions } from '../../src/access/audit.ts'
import { LocalMemory } from '../../src/memory/memory.ts'
import type { AnswerRow } from '../../src/ports/access-store.ts'
import type { Tracer } from '../../src/server/telemetry.ts'
import { HOST, type Scene, openScene } from './scene.ts'

const MESSAGES = '/v1/scopes/acme%2Fada/sessions/s/messages'
const SESSION = '/v1/scopes/acme%2Fada/sessions/s'
const hello = { messages: { role: 'user', content: 'hello' } }

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  return (await response.json()) as Problem
}

describe('[http-1] the OpenAPI document', () => {
  it('describes every route that is there, with its parameters, and no other', async () => {
    await using scene = await openScene()
    const document = (await (await scene.ask('/openapi.json', { token: null })).json()) as {
      openapi: string
      paths: Record<
        string,
        Record<string, { operationId: string; parameters?: readonly { name: string; in: string }[] }>
      >
      components: { schemas: Record<string, unknown> }
    }
    expect(document.openapi).toBe('3.1.0')
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, parameters = [] }]) => {
        const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => `{${name}}`)
        expect([...path.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()).toEqual(inPath.toSorted())
        return `${operationId} ${method} ${path}`
      }),
    )
    expect(described.toSorted()).toEqual(
      surface.map(({ name, method, path }) => `${name} ${method} ${path}`).toSorted(),
    )
    const named = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)
    for (const name of named) expect(document.components.schemas).toHaveProperty(name)
  })
})

describe('[http-3] writes', () => {
  it('append once for a key, also at the same time', async () => {
    await using scene = await openScene()
    const headers = { 'idempotency-key': 'k1' }
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await scene.ask(MESSAGES, { body: hello, headers })).json()),
    )
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
    expect(await scene.memory.scope('acme/ada').session('s').count()).toBe(1)
    const other = await scene.ask(MESSAGES, { body: { messages: { role: 'user', content: 'other' } }, headers })
    expect(await problemOf(other)).toMatchObject({ status: 409, code: 'log/id-conflict' })
  })

  it('do every other change once for a key, and refuse the key for another request', async () => {
    await using scene = await openScene()
    const path = '/v1/scopes/acme%2Fada/proposals'
    await scene.memory.scope('acme/ada').remember([
      { subject: 'Ada', predicate: 'likes', object: 'tea' },
      { subject: 'Ada L', predicate: 'likes', object: 'milk' },
    ])
    const body = { suggestion: { merge: ['Ada', 'Ada L'] } }
    const headers = { 'idempotency-key': 'k2' }
    const [first, second] = await Promise.all([scene.ask(path, { body, headers }), scene.ask(path, { body, headers })])
    const third = await scene.ask(path, { body, headers })
    const told = (await first.json()) as { id: string }
    expect(first.status).toBe(201)
    expect(await second.json()).toEqual(told)
    expect(await third.json()).toEqual(told)
    expect(await scene.memory.scope('acme/ada').proposals()).toHaveLength(1)
    const other = await scene.ask(path, { body: { ...body, reason: 'other' }, headers })
    expect(await problemOf(other)).toMatchObject({ status: 409, code: 'access/key-conflict' })
    const another = await scene.key('acme', ['write'])
    expect((await scene.ask(path, { body, headers, token: another.token })).status).toBe(201)
  })

  it('refuse a cursor of another scope or list', async () => {
    await using scene = await openScene()
    for (const scope of ['a', 'b'])
      await scene.memory
        .scope(scope)
        .remember([1, 2, 3].map((number) => ({ subject: `S${number}`, predicate: 'is', object: number })))
    const { next } = (await (await scene.ask('/v1/scopes/a/facts?limit=2')).json()) as { next: string }
    const rest = (await (await scene.ask(`/v1/scopes/a/facts?limit=2&after=${next}`)).json()) as {
      facts: unknown[]
      next: null
    }
    expect([rest.facts.length, rest.next]).toEqual([1, null])
    for (const path of [
      `/v1/scopes/b/facts?after=${next}`,
      `/v1/scopes/a/entities?after=${next}`,
      '/v1/scopes/a/facts?after=x',
    ])
      expect(await problemOf(await scene.ask(path))).toMatchObject({ status: 422, code: 'input/invalid' })
  })

  it('answer mistakes with problem documents that name them', async () => {
    await using scene = await openScene()
    const cases: readonly (readonly [string, unknown, number, string])[] = [
      [MESSAGES, { messages: { role: 'robot', content: 'x' } }, 422, 'input/invalid'],
      [MESSAGES, { mesages: [] }, 422, 'input/invalid'],
      [MESSAGES, '{"messages":', 422, 'input/invalid'],
      [MESSAGES, '[]', 422, 'input/invalid'],
      [`${SESSION}/context`, { budget: -1 }, 422, 'input/invalid'],
      [`${SESSION}/context`, { budgt: 1 }, 422, 'input/invalid'],
      [`${SESSION}/fork`, { newId: 't' }, 404, 'log/not-found'],
      ['/v1/scopes/acme%2F..%2Fada/recall', { query: 'x' }, 422, 'input/invalid'],
    ]
    for (const [path, body, status, code] of cases)
      expect(await problemOf(await scene.ask(path, { body })), path).toMatchObject({ status, code })
    expect(await problemOf(await scene.ask(`${MESSAGES}?limt=3`))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('limit'),
    })
    expect(await problemOf(await scene.ask(`${MESSAGES}?limit=many`))).toMatchObject({ status: 422 })
    const plain = await scene.ask(MESSAGES, { body: hello, headers: { 'content-type': 'text/plain' } })
    expect(await problemOf(plain)).toMatchObject({ status: 422 })
  })
})

describe('[http-4] streams', () => {
  it('bulk append stores a line each, once for a key, and says how far it came', async () => {
    await using scene = await openScene()
    const lines = Array.from({ length: 1_001 }, (_, index) => JSON.stringify({ role: 'user', content: String(index) }))
    const headers = { 'content-type': 'application/x-ndjson', 'idempotency-key': 'bulk' }
    const send = (body: string): Promise<Response> => scene.ask(`${MESSAGES}/bulk`, { body, headers })
    const broken = await problemOf(await send([...lines.slice(0, 500), 'nonsense', ...lines.slice(500)].join('\n')))
    expect(broken).toMatchObject({ status: 422, details: { appended: 400, lastSeq: 400 } })
    const whole = await send(`${lines.join('\n')}\n`)
    expect(await whole.json()).toEqual({ appended: 1_001, lastSeq: 1_001, warnings: 0 })
    expect((await scene.memory.scope('acme/ada').session('s').recent(1))[0]?.seq).toBe(1_001)
  })

  it('export gives every message, a page at a time as it is read', async () => {
    await using scene = await openScene()
    const session = scene.memory.scope('acme/ada').session('s')
    await session.append(Array.from({ length: 900 }, (_, index) => ({ role: 'user' as const, content: String(index) })))
    const all = await (await scene.ask(`${MESSAGES}/export`)).text()
    expect(
      all
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Message).seq),
    ).toEqual(Array.from({ length: 900 }, (_, index) => index + 1))
    const some = await (await scene.ask(`${MESSAGES}/export?limit=450&after=10`)).text()
    expect(some.trim().split('\n')).toHaveLength(450)
    expect((await scene.ask(`${MESSAGES}/export?limit=0`)).status).toBe(422)
  })

  it('watch goes on after Last-Event-ID and ends when the server stops', async () => {
    await using scene = await openScene()
    const session = scene.memory.scope('acme/ada').session('s')
    await session.append([1, 2, 3].map((number) => ({ role: 'user' as const, content: String(number) })))
    const response = await scene.ask(`${SESSION}/watch`, { headers: { 'last-event-id': '1' } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    await session.append({ role: 'user', content: '4' })
    let text = ''
    for await (const piece of (response.body ?? ReadableStream.from([])).pipeThrough(new TextDecoderStream())) {
      text += piece
      // The answer ends when the server has drained.
      if (text.includes('id: 4\n')) void scene.app.drain()
    }
    expect([...text.matchAll(/^id: (\d+)\nevent: message/gm)].map(([, id]) => id)).toEqual(['2', '3', '4'])
    expect((await scene.ask(`${SESSION}/watch`, { headers: { 'last-event-id': 'x' } })).status).toBe(503)
  })
})

describe('[http-4] places for watches', () => {
  it('are given back when a client goes', async () => {
    await using scene = await openScene({ limits: { streamsPerKey: 2 } })
    const open = async (): Promise<Response> => scene.ask(`${SESSION}/watch`)
    const [first, second] = [await open(), await open()]
    expect([first.status, second.status, (await open()).status]).toEqual([200, 200, 429])
    await first.body?.cancel()
    const third = await open()
    expect(third.status).toBe(200)
    await Promise.all([second.body?.cancel(), third.body?.cancel()])
  })
})

describe('[http-3] kept answers', () => {
  it('are gone once something is forgotten: they could quote it', async () => {
    await using scene = await openScene()
    const path = '/v1/scopes/acme%2Fada/facts'
    const headers = { 'idempotency-key': 'once' }
    const body = { facts: { subject: 'Ada', predicate: 'likes', object: 'canary' } }
    const first = await (await scene.ask(path, { body, headers })).text()
    expect(await (await scene.ask(path, { body, headers })).text()).toBe(first)
    await scene.ask('/v1/scopes/acme%2Fada/forget', { body: { subject: 'Ada' } })
    // It is not done again either: what was forgotten would be back.
    const again = await scene.ask(path, { body, headers })
    expect(again.status).toBe(409)
    expect(await again.json()).toMatchObject({ code: 'access/not-repeated', details: { outcome: 'done' } })
    expect(await scene.memory.scope('acme/ada').facts()).toEqual([])
  })
})

describe('[http-3] digests of requests', () => {
  const path = '/v1/scopes/acme%2Fada/facts'
  const body = { facts: { subject: 'Ada', predicate: 'likes', object: 'canary' } }

  it('confirm no guess, with the digest alone, and after something was forgotten with the whole store', async () => {
    await using scene = await openScene()
    const { access } = LocalMemory.partsOf(scene.memory).store
    const rows: AnswerRow[] = []
    const { keepAnswer } = access
    Object.assign(access, {
      keepAnswer: (row: AnswerRow, olderThan: number) => {
        rows.push(row)
        return keepAnswer(row, olderThan)
      },
    })
    await scene.ask(path, { body, headers: { 'idempotency-key': 'once' } })
    await scene.ask(path, { body })
    await scene.app.drain()
    const guess = JSON.stringify(body)
    const [second, first] = await scene.memory.audit()
    // Of the same request the same, and not what anybody can make from it.
    expect(second?.digest).toBe(first?.digest)
    const guesses = [
      guess,
      `POST ${path}\n${guess}`,
      `POST ${path}\n${createHash('sha256').update(guess).digest('hex')}`,
    ]
    for (const text of guesses) {
      const plain = createHash('sha256').update(text).digest('hex')
      expect(plain.slice(16)).not.toBe(first?.digest?.slice(16))
      expect(plain.slice(16)).not.toBe(rows[0]?.request.slice(16))
    }
    const secret = (await access.answer('secret of request digests'))?.body ?? ''
    expect(createHmac('sha256', secret).update(guess).digest('hex').slice(16)).toBe(first?.digest?.slice(16))

    await scene.memory.scope('acme/ada').forget({ subject: 'Ada' })
    expect(await access.answer('secret of request digests')).toMatchObject({ body: '' })
    expect(await access.answer(rows[0]?.name ?? '')).toMatchObject({ request: '', body: '' })
    const left = await scene.memory.verifyForgotten({ id: 'none' } as ForgetReceipt, [secret, rows[0]?.request ?? ''])
    // The audit trail names the same secret, and what hexadecimal digits have for a stem may stand there.
    expect(left.found.filter(({ form }) => form !== 'stem')).toEqual([])
  })

  it('of another secret keep retries working, and another request under the same key is a conflict', async () => {
    let time = 1_000_000
    await using scene = await openScene({ memory: { clock: { now: () => time } } })
    const headers = { 'idempotency-key': 'once' }
    const other = { facts: { subject: 'Bob', predicate: 'likes', object: 'tea' } }
    const first = await (await scene.ask(path, { body, headers })).text()
    expect((await scene.ask(path, { body: other, headers })).status).toBe(409)
    time += 10_000
    expect(await (await scene.ask(path, { body, headers })).text()).toBe(first)
    await scene.memory.scope('acme/ada').forget({ subject: 'Ada' })
    time += 10_000
    const kept = await (await scene.ask(path, { body: other, headers: { 'idempotency-key': 'next' } })).text()
    expect(await (await scene.ask(path, { body: other, headers: { 'idempotency-key': 'next' } })).text()).toBe(kept)
    const again = await scene.ask(path, { body, headers })
    expect(await again.json()).toMatchObject({ code: 'access/not-repeated', details: { outcome: 'done' } })
  })
})

describe('[http-6] the door', () => {
  it('knows its hosts exactly, and no page of a stranger', async () => {
    await using scene = await openScene({ origins: ['https://app.example'] })
    for (const host of ['evil.test', `${HOST}.evil.test`, `${HOST}:80`, ''])
      expect((await scene.ask('/healthz', { headers: { host } })).status).toBe(403)
    for (const origin of ['https://evil.test', 'null', `https://${HOST}.evil.test`, 'file://'])
      expect((await scene.ask('/healthz', { headers: { origin } })).status).toBe(403)
    const own = await scene.ask('/healthz', { headers: { origin: `http://${HOST}` } })
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null])
    const shared = await scene.ask('/healthz', { headers: { origin: 'https://app.example' } })
    expect([shared.status, shared.headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example'])
    const preflight = await scene.ask(MESSAGES, {
      method: 'OPTIONS',
      token: null,
      headers: { origin: 'https://app.example' },
    })
    expect(preflight.status).toBe(204)
  })

  it('[walls-292] limits bytes, levels, fields, and texts, lists and objects', async () => {
    await using scene = await openScene({ limits: { bodyBytesMax: 10_000, fieldsMax: 50 } })
    const large = { messages: { role: 'user', content: 'x'.repeat(10_000) } }
    const deep = `{"messages":${'['.repeat(100)}${']'.repeat(100)}}`
    const wide = {
      messages: {
        role: 'user',
        content: 'x',
        metadata: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 1])),
      },
    }
    const lists = `{"messages":{"role":"user","content":"x","metadata":{"a":[${'[],'.repeat(120)}0]}}}`
    const texts = `{"messages":{"role":"user","content":"x","metadata":{"a":[${'"",'.repeat(120)}0]}}}`
    for (const body of [large, deep, wide, lists, texts])
      expect(await problemOf(await scene.ask(MESSAGES, { body }))).toMatchObject({
        status: 413,
        code: 'input/too-large',
      })
    const fine = { messages: { role: 'user', content: '{"[:'.repeat(1_000) } }
    expect((await scene.ask(MESSAGES, { body: fine })).status).toBe(201)
    const numbers = `{"messages":{"role":"user","content":"x","metadata":{"a":[${'1,'.repeat(1_000)}0]}}}`
    expect((await scene.ask(MESSAGES, { body: numbers })).status).toBe(201)
  })

  it('limits the rate of a key, and of wrong keys, and says when to come back', async () => {
    await using scene = await openScene({ limits: { ratePerSecond: 5, wrongKeysPerSecond: 3 } })
    const statuses: number[] = []
    for (let index = 0; index < 8; index++) statuses.push((await scene.ask(`${SESSION}/count`)).status)
    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses).toContain(429)
    const quiet = await scene.key('acme', ['read'])
    expect((await scene.ask(`${SESSION}/count`, { token: quiet.token })).status).toBe(200)
    const wrong: Response[] = []
    for (let index = 0; index < 6; index++) wrong.push(await scene.ask(`${SESSION}/count`, { token: 'wrong' }))
    expect(wrong.map(({ status }) => status)).toContain(429)
    expect(wrong.at(-1)?.headers.get('retry-after')).toBe('1')
  })
})

describe('[http-8] too much', () => {
  it('sheds the noisy key and serves the quiet one', async () => {
    await using scene = await openScene({ limits: { runningPerKey: 2, waitingPerKey: 2 } })
    const quiet = await scene.key('acme', ['write'])
    const noisy = Array.from({ length: 50 }, () => scene.ask(MESSAGES, { body: hello }))
    const calm = await scene.ask(MESSAGES, { body: hello, token: quiet.token })
    expect(calm.status).toBe(201)
    const statuses = (await Promise.all(noisy)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(4)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(await scene.memory.scope('acme/ada').session('s').count()).toBe(
      statuses.filter((status) => status === 201).length + 1,
    )
  })

  it('stops without losing what it began', async () => {
    await using scene = await openScene()
    const begun = Array.from({ length: 20 }, () => scene.ask(MESSAGES, { body: hello }))
    await scene.app.drain()
    const statuses = (await Promise.all(begun)).map(({ status }) => status)
    expect(await scene.memory.scope('acme/ada').session('s').count()).toBe(
      statuses.filter((status) => status === 201).length,
    )
    const late = await scene.ask(`${SESSION}/count`)
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await (await scene.ask('/readyz')).json()).toEqual({ status: 'stopping' })
  })
})

describe('[http-7] what can be seen', () => {
  const SECRET = 'canary-7731'

  async function live(scene: Scene): Promise<void> {
    const body = { messages: { role: 'user', content: SECRET, id: 'm1' } }
    await scene.ask(`/v1/scopes/acme%2Fada/sessions/${SECRET}/messages`, { body })
    await scene.ask(`/v1/scopes/acme%2Fada/recall`, { body: { query: SECRET } })
    await scene.ask(MESSAGES, { body: { messages: { role: SECRET } } })
    const reader = await scene.key('acme', ['read'])
    await scene.ask(MESSAGES, { body: hello, token: reader.token })
    await scene.ask(MESSAGES, { body: hello, token: SECRET })
  }

  it('logs and metrics have no content and no key', async () => {
    const lines: LogLine[] = []
    await using scene = await openScene({ log: (line) => lines.push(line) })
    await live(scene)
    const metrics = await (await scene.ask('/metrics')).text()
    expect(metrics).toContain('daybook_http_requests_total{operation="messages.append",status="201"} 1')
    expect(metrics).toContain('daybook_http_request_seconds_bucket{operation="messages.append",le="+Inf"} 4')
    expect(lines[0]).toMatchObject({
      message: 'request',
      method: 'POST',
      operation: 'messages.append',
      status: 201,
      key: scene.root.id,
    })
    const seen = JSON.stringify(lines) + metrics
    for (const secret of [SECRET, scene.root.token, 'acme']) expect(seen).not.toContain(secret)
  })

  it('the audit trail has who, what, ids and hashes, chained, and no content', async () => {
    await using scene = await openScene()
    await live(scene)
    await scene.app.drain()
    const entries = await scene.memory.audit()
    expect(entries.map(({ action, status }) => [action, status])).toEqual([
      ['messages.append', 403],
      ['messages.append', 201],
    ])
    expect(entries[1]).toMatchObject({
      key: scene.root.id,
      scope: 'acme/ada',
      ids: [SECRET, 'm1'],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const deeds = entries.toReversed().map(({ at, key, ids, action, scope, status, digest }) => ({
      action,
      scope,
      status,
      digest,
      at: Date.parse(at),
      keyId: key,
      ids: JSON.stringify(ids),
    }))
    expect(chainActions(undefined, deeds).map(({ chain }) => chain)).toEqual(
      entries.toReversed().map(({ chain }) => chain),
    )
  })

  interface Seen {
    readonly name: string
    readonly attributes: Record<string, unknown>
    ended: boolean
  }

  function recorder(): { readonly spans: Seen[]; readonly tracer: Tracer } {
    const spans: Seen[] = []
    const startSpan: Tracer['startSpan'] = (name, { attributes }) => {
      const span: Seen = { name, attributes: { ...attributes }, ended: false }
      spans.push(span)
      return {
        setAttribute: (key, value) => Object.assign(span.attributes, { [key]: value }),
        setStatus: () => undefined,
        end: () => {
          span.ended = true
        },
      }
    }
    return { spans, tracer: { startSpan } }
  }

  it('spans carry the names of the GenAI conventions and no content', async () => {
    const { spans, tracer } = recorder()
    await using scene = await openScene({ tracer })
    await scene.ask(MESSAGES, { body: { messages: { role: 'user', content: SECRET } } })
    await scene.ask('/v1/scopes/acme%2Fada/recall', { body: { query: SECRET } })
    expect(spans.map(({ name, ended }) => [name, ended])).toEqual([
      ['create_memory', true],
      ['search_memory', true],
    ])
    expect(spans[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'create_memory',
      'gen_ai.conversation.id': 's',
      'gen_ai.memory.record.count': 1,
      'gen_ai.memory.record.id': expect.any(String),
      'http.response.status_code': 201,
    })
    expect(JSON.stringify(spans)).not.toContain(SECRET)
  })

  it('spans have content where somebody opted in, in whole records', async () => {
    const { spans, tracer } = recorder()
    await using scene = await openScene({ tracer, spanContent: true })
    const messages = Array.from({ length: 30 }, (_, index) => ({
      role: 'user',
      content: `${SECRET} ${index} ${'x'.repeat(2_000)}`,
    }))
    await scene.ask(MESSAGES, { body: { messages } })
    await scene.ask('/v1/scopes/acme%2Fada/recall', { body: { query: SECRET, limit: 3 } })
    await scene.ask('/v1/scopes/acme%2Fada/facts', { body: { facts: `${SECRET} fact` } })
    const records = (index: number): readonly { content: unknown; score?: number }[] =>
      JSON.parse(spans[index]?.attributes['gen_ai.memory.records'] as string)
    expect(spans[0]?.attributes['gen_ai.memory.record.count']).toBe(30)
    expect(records(0).length).toBeGreaterThan(5)
    expect(records(0).length).toBeLessThan(30)
    expect(spans[1]?.attributes).toMatchObject({ 'gen_ai.memory.query.text': SECRET, 'gen_ai.memory.record.count': 3 })
    expect(records(1).map(({ score }) => typeof score)).toEqual(['number', 'number', 'number'])
    expect(records(2)).toMatchObject([{ content: `${SECRET} fact` }])
  })
})

describe('[http-5] the page behind the link', () => {
  it('is there without a key, and holds nothing of the memory', async () => {
    await using scene = await openScene()
    await scene.memory.scope('acme/ada').session('s').append({ role: 'user', content: 'secret' })
    const page = await scene.ask('/', { token: null })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('cache-control')).toBe('no-store')
    const text = await page.text()
    expect(text).toContain('/openapi.json')
    expect(text).not.toMatch(/secret|acme|\son\w+=|https?:\/\/(?!127)/i)
  })
})

describe('[http-5] keys', () => {
  it('are hashed, shown once, listed, expired and revoked', async () => {
    let now = 1_000
    await using scene = await openScene({ memory: { clock: { now: () => now } } })
    const made = (await (
      await scene.ask('/v1/keys', {
        body: { scope: 'acme/ada', can: ['write', 'read'], name: 'bot', expiresAt: 5_000 },
      })
    ).json()) as { id: string; token: string; can: string[] }
    expect(made).toMatchObject({ can: ['read', 'write'], token: expect.stringMatching(/^dbk_[0-9a-f]{16}_[\w-]{43}$/) })
    const listed = await (await scene.ask('/v1/keys')).text()
    expect(listed).toContain(made.id)
    expect(listed).not.toContain(made.token.slice(21))
    const count = async (): Promise<number> => (await scene.ask(`${SESSION}/count`, { token: made.token })).status
    expect(await count()).toBe(200)
    now = 5_000
    expect(await count()).toBe(401)
    now = 4_999
    expect(await count()).toBe(200)
    expect((await scene.ask(`/v1/keys/${made.id}`, { method: 'DELETE' })).status).toBe(200)
    expect(await count()).toBe(401)
    expect((await scene.ask('/v1/keys/nobody', { method: 'DELETE' })).status).toBe(404)
    expect((await scene.memory.keys.list()).find(({ id }) => id === made.id)?.lastUsedAt).toBe(
      new Date(1_000).toISOString(),
    )
  })

  it('that may only propose store what is quarantined; no field of a request raises trust', async () => {
    await using scene = await openScene()
    const path = '/v1/scopes/acme%2Fada/facts'
    const body = { facts: { subject: 'Ada', predicate: 'likes', object: 'tea' }, channel: 'operator' }
    const proposer = await scene.key('acme', ['propose'])
    const writer = await scene.key('acme', ['write'])
    const trustOf = async (token: string, object: string): Promise<unknown> => {
      const response = await scene.ask(path, { token, body: { ...body, facts: { ...body.facts, object } } })
      expect(response.status).toBe(201)
      const facts = await scene.memory.scope('acme/ada').facts({ state: ['current', 'quarantined'] })
      return facts.find((fact) => fact.object === object)?.trust
    }
    expect(await trustOf(proposer.token, 'tea')).toBe(0)
    expect(await trustOf(writer.token, 'milk')).toBe(2)
    expect(await trustOf(scene.root.token, 'sugar')).toBe(3)
  })

  it('[inspector-12] that may only read get contexts and write no compaction and no record', async () => {
    await using scene = await openScene()
    const session = scene.memory.scope('acme/ada').session('s')
    for (let index = 0; index < 40; index++)
      await session.append([
        { role: 'user', content: `question ${index} ${'words '.repeat(30)}` },
        { role: 'assistant', content: 'answer '.repeat(30) },
      ])
    const { version } = await session.stats()
    const reader = await scene.key('acme', ['read'])
    const read = await scene.ask(`${SESSION}/context`, { token: reader.token, body: { budget: 1_000 } })
    expect(read.status).toBe(200)
    expect((await session.stats()).version).toBe(version)
    expect(await session.contexts()).toEqual([])
    await scene.ask(`${SESSION}/context`, { body: { budget: 1_000 } })
    expect((await session.stats()).version).toBeGreaterThan(version)
    expect(await session.contexts()).toHaveLength(1)
  })
})
