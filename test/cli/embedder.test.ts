import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { daybook, folder } from './harness.ts'

/** Words of one meaning have one direction. */
const MODULE = `
const meanings = [/train|lokomotive/i, /tea|cup/i]
export default function wordy(texts) {
  return texts.map((text) => [...meanings.map((words) => (words.test(text) ? 1 : 0)), 0.01])
}
`

let home: string
let at: readonly string[]
beforeEach(async () => {
  home = folder()
  at = ['--memory', join(home, 'agent.db'), '--scope', 'acme/ada']
  writeFileSync(join(home, 'wordy.mjs'), MODULE)
  await daybook(['append', '--create', ...at, 's', 'My train was late.'])
  await daybook(['append', ...at, 's', 'I drink tea.'])
})

async function found(embedder: string): Promise<readonly { text: string; why: { vector?: number } }[]> {
  const settled = await daybook(['jobs', 'settle', ...at, '--embedder', embedder])
  expect(settled, settled.stderr).toMatchObject({ status: 0 })
  const { stdout } = await daybook(['recall', ...at, 'Lokomotive', '--json', '--embedder', embedder])
  return (JSON.parse(stdout) as { items: { text: string; why: { vector?: number } }[] }).items
}

describe('[hosts-65] --embedder', () => {
  it('finds by meaning with the embedder of a module', async () => {
    expect((await daybook(['recall', ...at, 'Lokomotive', '--json'])).stdout).not.toContain('train')
    const [first] = await found(join(home, 'wordy.mjs'))
    expect(first?.text).toBe('My train was late.')
    expect(first?.why.vector).toBeGreaterThan(0)
  })

  it('says which command embeds what was stored before, and stops when that is done', async () => {
    const embedder = join(home, 'wordy.mjs')
    const ask = ['recall', ...at, '--fresh', 'Lokomotive', '--embedder', embedder]
    const before = await daybook([...ask, '--expected', 's#1'])
    const settle = ['jobs', 'settle', ...at, '--embedder', embedder]
    expect(before.stdout).toContain(`\n2 messages are not embedded yet: daybook ${settle.join(' ')}\n`)
    expect(before.stdout).toContain('It has no word of the question, and it is not embedded yet')
    expect(before.stdout).not.toContain('open the memory with an embedder')
    await daybook(settle)
    expect((await daybook(ask)).stdout).not.toContain('embedded')
  })

  describe('at an address', () => {
    const asked: { url: string | undefined; model: unknown }[] = []
    const server = createServer(async (request, response) => {
      const { model, input } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as {
        model: string
        input: string[]
      }
      asked.push({ url: request.url, model })
      const data = input.map((text, index) => ({ index, embedding: [/train|lokomotive/i.test(text) ? 1 : 0, 0.01] }))
      // Some providers return them in another order.
      response.end(JSON.stringify({ data: data.toReversed(), usage: { total_tokens: 7 } }))
    })
    beforeEach(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
    afterEach(() => server.close())

    it('finds by meaning with a model of an OpenAI-compatible provider', async () => {
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
      const [first] = await found(`${address}#nomic-embed-text`)
      expect(first?.text).toBe('My train was late.')
      expect(new Set(asked.map(({ url, model }) => `${url} ${String(model)}`))).toEqual(
        new Set(['/v1/embeddings nomic-embed-text']),
      )
    })
  })

  it.each([
    ['http://127.0.0.1:11434/v1', 2, 'No model given: add it to the address, for example --embedder http://'],
    ['./nowhere.mjs', 3, 'Cannot load the embedder "./nowhere.mjs": there is no such file'],
  ])('says what is wrong with %s', async (embedder, status, message) => {
    const ended = await daybook(['recall', ...at, 'Lokomotive', '--embedder', embedder])
    expect(ended.status).toBe(status)
    expect(ended.stderr).toContain(message)
  })

  it('is written into the configuration of a host, with the whole path of a module', async () => {
    const words = ['mcp', 'install', 'cursor', '--dry-run', '--json', '--embedder', 'wordy.mjs']
    const { stdout } = await daybook(words, '', { HOME: home })
    const { args } = JSON.parse(stdout) as { args: string[] }
    expect(args.slice(-2)).toEqual(['--embedder', join(process.cwd(), 'wordy.mjs')])
  })
})
