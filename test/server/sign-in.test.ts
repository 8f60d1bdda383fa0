import { describe, expect, it } from 'vitest'
import { HOST, type Scene, openScene } from './scene.ts'

const OWN = { 'sec-fetch-site': 'same-origin' }

/** Signs in as the page does, and returns the cookie as a browser sends it back. */
async function cookieOf(scene: Scene, token: string): Promise<string> {
  const response = await scene.ask('/sign-in', { method: 'POST', token })
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('[inspector-2] the sign-in of the inspector', () => {
  it('gives the key back as a cookie that no script and no other site can use', async () => {
    await using scene = await openScene()
    const response = await scene.ask('/sign-in', { method: 'POST' })
    expect(response.headers.get('set-cookie')).toMatch(
      /^daybook-default=dbk_\S+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    )
    expect(await response.json()).toMatchObject({ key: { scope: null, can: expect.arrayContaining(['admin']) } })
    expect(await (await scene.ask('/sign-in', { method: 'DELETE', token: null })).json()).toEqual({})
  })

  it('marks the cookie as secure where browsers come by https', async () => {
    await using scene = await openScene({ secure: true })
    expect((await scene.ask('/sign-in', { method: 'POST' })).headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  it('refuses a wrong key, and takes none from a cookie', async () => {
    await using scene = await openScene()
    const cookie = await cookieOf(scene, scene.root.token)
    expect((await scene.ask('/sign-in', { method: 'POST', token: 'dbk_wrong' })).status).toBe(401)
    expect((await scene.ask('/sign-in', { method: 'POST', token: null, headers: { ...OWN, cookie } })).status).toBe(401)
  })

  it('lets the cookie count for requests of the page itself and no others', async () => {
    await using scene = await openScene()
    const cookie = await cookieOf(scene, scene.root.token)
    const status = async (headers: Readonly<Record<string, string>>, method = 'GET'): Promise<number> =>
      (
        await scene.ask(method === 'GET' ? '/v1/scopes' : '/v1/rebuild', {
          method,
          token: null,
          headers: { cookie, ...headers },
        })
      ).status
    expect(await status(OWN)).toBe(200)
    expect(await status({})).toBe(401)
    for (const site of ['same-site', 'cross-site', 'none'])
      expect(await status({ 'sec-fetch-site': site }), site).toBe(401)
    expect(await status({ ...OWN, origin: 'http://elsewhere.example' })).toBe(403)
    expect(await status({ 'sec-fetch-site': 'same-site', origin: `http://${HOST}` }, 'POST')).toBe(401)
    expect(await status({ ...OWN, origin: `http://${HOST}` }, 'POST')).toBe(200)
  })

  it('stops with the key: a revoked key is of no use in a cookie', async () => {
    await using scene = await openScene()
    const key = await scene.key('acme', ['read'])
    const cookie = await cookieOf(scene, key.token)
    const look = async (): Promise<number> =>
      (await scene.ask('/sign-in', { token: null, headers: { ...OWN, cookie } })).status
    expect(await look()).toBe(200)
    await scene.memory.keys.revoke(key.id)
    expect(await look()).toBe(401)
  })
})

describe('[inspector-3] the page of the inspector', () => {
  it('may be framed by nobody, whoever may frame `/me`, and has a strict policy', async () => {
    await using scene = await openScene({ frameAncestors: ['https://app.example'] })
    for (const path of ['/', '/sessions', '/knowledge'])
      expect((await scene.ask(path, { token: null })).headers.get('content-security-policy')).toContain(
        "frame-ancestors 'none'",
      )
    for (const path of ['/', '/me']) {
      const { headers } = await scene.ask(path, { token: null })
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  it('has no file but those of the build', async () => {
    await using scene = await openScene()
    for (const name of ['..%2Findex.html', '%2e%2e%2fpackage.json', 'nothing.js', ''])
      expect((await scene.ask(`/assets/${name}`, { token: null })).status, name).toBe(404)
  })
})

describe('[inspector-8] forgetting from the page', () => {
  it('needs the confirmation of a dry run for the same target', async () => {
    await using scene = await openScene()
    const chat = scene.memory.scope('acme/ada').session('s')
    await chat.append([
      { role: 'user', content: 'a', id: 'a' },
      { role: 'user', content: 'b', id: 'b' },
    ])
    const headers = { ...OWN, cookie: await cookieOf(scene, scene.root.token) }
    const forget = (body: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
      scene.ask('/v1/scopes/acme%2Fada/forget', { token: null, body, headers: { ...headers, ...more } })
    const a = { message: 'a', session: 's' }
    expect((await forget(a)).status).toBe(403)
    const dry = await forget({ ...a, dryRun: true })
    expect(await dry.json()).toMatchObject({ dryRun: true, messages: 1 })
    const confirm = { 'daybook-confirm': dry.headers.get('daybook-confirm') ?? '' }
    expect((await forget({ message: 'b', session: 's' }, confirm)).status).toBe(403)
    expect((await forget(a, { 'daybook-confirm': `9${confirm['daybook-confirm']}` })).status).toBe(403)
    expect((await forget(a, confirm)).status).toBe(200)
    expect((await chat.history()).map(({ id }) => id)).toEqual(['b'])
  })
})
