import { describe, expect, it } from 'vitest'
import { connectMemory } from '../../src/client/connect-memory.ts'
import { HOST, openScene } from './scene.ts'

/** A picture of 8 by 8 pixels. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAJ0lEQVR42mNkwAT/GRgYGJmQBRgZGf8zMDAwMuHSwYRLBy4dTLh0AAAMcAQRwM3kGwAAAABJRU5ErkJggg=='
const PAGE = '<!doctype html><script>alert(1)</script>'

describe('[inspector-20] one blob by its hash', () => {
  it('comes with the type of its bytes, in a sandbox, and never as HTML, whatever its message says', async () => {
    await using scene = await openScene()
    const scope = scene.memory.scope('acme/ada')
    const [stored] = await scope.session('s').append({
      role: 'user',
      parts: [
        { type: 'image', source: { type: 'base64', base64: PICTURE }, mediaType: 'text/html' },
        { type: 'file', source: { type: 'base64', base64: btoa(PAGE) }, mediaType: 'text/html', name: 'page.html' },
      ],
    })
    const hashes = (stored?.parts ?? []).flatMap((part) =>
      'source' in part && part.source.type === 'blob' ? [part.source.hash] : [],
    )
    const [picture, page] = await Promise.all(hashes.map((hash) => scene.ask(`/v1/scopes/acme%2Fada/blobs/${hash}`)))
    expect(picture?.headers.get('content-type')).toBe('image/png')
    expect(page?.headers.get('content-type')).toBe('application/octet-stream')
    expect(page?.headers.get('content-disposition')).toBe('attachment')
    for (const response of [picture, page]) {
      expect(response?.headers.get('content-security-policy')).toMatch(/^sandbox;/)
      expect(response?.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(Buffer.from((await picture?.arrayBuffer()) ?? new ArrayBuffer(0)).toString('base64')).toBe(PICTURE)
    expect(await page?.text()).toBe(PAGE)
    expect(Buffer.from((await scope.blob(hashes[1] ?? '')) ?? []).toString()).toBe(PAGE)
    await using remote = connectMemory(`http://${HOST}`, {
      key: scene.root.token,
      fetch: (request) =>
        scene.app.fetch(new Request(request, { headers: { ...Object.fromEntries(request.headers), host: HOST } })),
    })
    expect(Buffer.from((await remote.scope('acme/ada').blob(hashes[1] ?? '')) ?? []).toString()).toBe(PAGE)
    for (const other of [scene.memory.scope('acme/bob'), remote.scope('acme/bob')])
      expect(await other.blob(hashes[0] ?? '')).toBeUndefined()
    expect((await scene.ask(`/v1/scopes/acme%2Fbob/blobs/${hashes[0]}`)).status).toBe(404)
    expect((await scene.ask('/v1/scopes/acme%2Fada/blobs/nonsense')).status).toBe(422)
  })
})
