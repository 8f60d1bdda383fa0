import { describe, expect, it } from 'vitest'
import { parseLink } from '../../src/client/parse-link.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/serve.ts'
import { folder } from '../cli/harness.ts'

describe('the link that `daybook serve` prints', () => {
  const place = folder()

  it('[anywhere-2] opens the memory with its key, and nothing else is needed', async () => {
    await using memory = await openMemory(':memory:')
    const server = await serve(memory, { port: 0, keyFile: `${place}/key` })
    const link = server.link ?? ''
    expect(link).toContain('/#key=')
    const remote = await openMemory(link)
    const [stored] = await remote.scope('acme/ada').session('first').append({ role: 'user', content: 'Hello' })
    expect(
      await memory
        .scope('acme/ada')
        .session('first')
        .get(stored?.id ?? ''),
    ).toMatchObject({ role: 'user' })
    await remote.close()
    await server.close()
  })

  it('[anywhere-2] keeps the key out of every address that is sent', () => {
    expect(parseLink('http://h:1/#key=dbk_a', undefined)).toEqual({ base: 'http://h:1/', key: 'dbk_a' })
    expect(parseLink('http://h:1/memory/#key=dbk_a', 'dbk_a')).toEqual({ base: 'http://h:1/memory/', key: 'dbk_a' })
    expect(parseLink('http://h:1', 'dbk_b')).toEqual({ base: 'http://h:1/', key: 'dbk_b' })
  })

  it.each([
    ['http://h/?key=dbk_secret', undefined, /#key=/],
    ['http://h/?key=dbk_secret#key=dbk_secret', undefined, /#key=/],
    ['http://h/?page=1', 'dbk_a', /without parameters/],
    ['http://h/#key=dbk_a', 'dbk_b', /the key of the address/],
    ['http://h/', undefined, /a key that the server made/],
    ['http://h/#key=', undefined, /a key that the server made/],
    ['ftp://h/', 'dbk_a', /http or https/],
  ])('[anywhere-2] refuses %s with key %s, and does not repeat a key', (address, key, message) => {
    expect(() => parseLink(address, key)).toThrow(message)
    expect(() => parseLink(address, key)).not.toThrow(/dbk_secret/)
  })
})
