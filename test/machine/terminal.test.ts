import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { daybookOnTerminal, daybookProcess, folder, hasTerminal, runProcess, MAIN } from '../cli/harness.ts'

const place = folder()
const file = join(place, 'a.db')
const env = { DAYBOOK_MEMORY: file, DAYBOOK_SCOPE: 'acme/ada' }
const COLOUR = /\u001B\[\d+m/

describe('[serve-7] [cli-1] a process of its own', () => {
  it('takes where, whose and which from the environment, and writes nothing but the answer', async () => {
    const made = await daybookProcess(['append', '--create', '--session', 's1', 'Hello'], { env })
    expect(made).toMatchObject({ status: 0, stderr: '' })
    const shown = await daybookProcess(['show'], { env: { ...env, DAYBOOK_SESSION: 's1' } })
    expect(shown).toMatchObject({ status: 0, stderr: '' })
    expect(shown.stdout).toMatch(/^s1 in acme\/ada · 1 message · /)
    expect(shown.stdout).not.toMatch(COLOUR)
    const { status, stdout } = await daybookProcess(['show', 'nope'], { env })
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' })
  })

  it('uses daybook.db where it stands, if there is one', async () => {
    const empty = join(place, 'empty')
    mkdirSync(empty)
    const where = { cwd: empty, env: { DAYBOOK_SCOPE: 'a' } }
    expect((await daybookProcess(['sessions'], where)).status).toBe(3)
    expect((await daybookProcess(['append', '--create', '-S', 's', 'Hello'], where)).status).toBe(0)
    expect((await daybookProcess(['sessions'], where)).stdout).toContain('s               1')
  })

  it('does not mind a reader that stops early', async () => {
    const line = `'${process.execPath}' '${MAIN}' --help | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout, stderr } = await runProcess('bash', ['-c', line])
    expect(stderr).toBe('')
    expect(stdout).toBe('Usage: daybook <command> [options]\n0\n')
  })
})

describe.skipIf(!hasTerminal)('[serve-7] a terminal', () => {
  it('[cli-1] gets colours, and none with NO_COLOR', async () => {
    await daybookProcess(['append', '--create', '--session', 's1', 'Hello'], { env })
    const coloured = daybookOnTerminal(['show', 's1'], { env })
    expect(await coloured.ended).toBe(0)
    expect(coloured.screen()).toMatch(COLOUR)
    const bare = daybookOnTerminal(['show', 's1'], { env: { ...env, NO_COLOR: '1' } })
    expect(await bare.ended).toBe(0)
    expect(bare.screen()).not.toMatch(COLOUR)
    expect(bare.screen()).toContain('s1 in acme/ada')
  })

  it('[cli-1] gets progress; a pipe gets none', async () => {
    const words = ['bench', '--messages', '200', '--directory', place]
    const terminal = daybookOnTerminal(words)
    // Whichever takes long enough to be drawn.
    await terminal.shows(/Appending one after the other|Reading for recall|Building contexts/)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('append, one at a time')
    const piped = await daybookProcess(words)
    expect(piped).toMatchObject({ status: 0, stderr: '' })
    expect(piped.stdout).not.toMatch(/Appending one after the other|Reading for recall|Building contexts/)
  })

  it('[cli-1] is asked before something is destroyed, and no means no', async () => {
    await daybookProcess(['remember', '--create', '--subject', 'Ada', '--predicate', 'likes', '--object', 'tea'], {
      env,
    })
    const terminal = daybookOnTerminal(['forget', '--subject', 'Ada'], { env })
    await terminal.shows(/Destroy everything about "Ada"/)
    terminal.type('n')
    expect(await terminal.ended).toBe(130)
    await using memory = await openMemory(file, { learn: false })
    expect(await memory.scope('acme/ada').facts({ subject: 'Ada' })).toHaveLength(1)
  })

  it('[cli-3] talks: what was recalled is dimmed, commands look inside, Ctrl-C at the prompt ends it', async () => {
    const terminal = daybookOnTerminal(['chat', 'talk', '--create'], { env })
    await terminal.shows(/you> /)
    expect(terminal.screen()).toContain('with a script instead of a language model')
    terminal.type('remember that Grace lives in Oslo\r')
    await terminal.shows(/My memory answered: “Recorded 1 of 1[^”]*”\r\n[^·]*you> /)
    expect(terminal.screen()).toMatch(/\u001B\[2m· → record_to_memory /)
    terminal.type('/facts\r')
    await terminal.shows(/Grace lives in Oslo\r\n {2}[^·]*trust: [^>]*you> /)
    terminal.type('Where does Grace live?\r')
    await terminal.shows(/\u001B\[2m· recalled a [^]*My memory answered: “[^”]*Grace lives in Oslo[^]*you> /)
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(130)
    await using memory = await openMemory(file, { learn: false })
    const said = await memory.scope('acme/ada').session('talk').history({ role: 'user' })
    expect(said.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'remember that Grace lives in Oslo' }],
      [{ type: 'text', text: 'Where does Grace live?' }],
    ])
  })

  it('[cli-3] stops a reply with Ctrl-C and goes on, and a provider that fails does not end the talk', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      asked += 1
      if (asked > 1)
        return response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"not today"}}')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const delta = { role: 'assistant', content: 'I begin' }
      const chunk = {
        id: 'x',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        choices: [{ index: 0, delta, finish_reason: null }],
      }
      return response.write(`data: ${JSON.stringify(chunk)}\n\n`) // and never ends
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const terminal = daybookOnTerminal(['chat', 'stopped', '--model', 'm'], {
      env: { ...env, DAYBOOK_BASE_URL: `http://127.0.0.1:${port}/v1` },
    })
    await terminal.shows(/you> /)
    terminal.type('Tell me\r')
    await terminal.shows(/I begin/)
    terminal.type('\u0003')
    await terminal.shows(/stopped; the part of the reply that arrived is stored[^]*you> /)
    terminal.type('And now?\r')
    await terminal.shows(/Cannot get a reply from m at [^]*not today[^]*you> /)
    terminal.type('/quit\r')
    expect(await terminal.ended).toBe(0)
    server.closeAllConnections()
    server.close()
    await using memory = await openMemory(file, { learn: false })
    const said = await memory.scope('acme/ada').session('stopped').history()
    expect(said.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(said[2]).toMatchObject({ incomplete: 'stopped', parts: [{ text: 'I begin' }] })
  })
})
