import { PassThrough } from 'node:stream'
import { program } from '../../src/cli/program.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { shellForHelp } from '../repository/unknown-words.ts'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, vi } from 'vitest'

import { hostLines } from '../../src/cli/host-lines.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/index.ts'
import { freePort } from '../postgres/server.ts'
import { daybook, daybookOnTerminal, folder, hasTerminal } from './harness.ts'

const place = folder()
let made = 0

/** A memory with these sessions, each with one message. */
async function memoryWith(sessions: readonly (readonly [scope: string, id: string, text: string])[]): Promise<string> {
  const file = join(place, `memory-${(made += 1)}.db`)
  // Each a second after the one before: which conversation is the last must not depend on how fast the machine is.
  let at = Date.now() - sessions.length * 1_000
  const memory = await openMemory(file, { learn: false, clock: { now: () => (at += 1_000) } })
  for (const [scope, id, text] of sessions)
    await memory.scope(scope).session(id).append({ role: 'user', content: text })
  await memory.close()
  return file
}

const one = (): Promise<string> => memoryWith([['acme/ada', 'first', 'Order 7731 is late.']])

describe('daybook forget --everything', () => {
  it('[words-24] destroys a whole scope, and proves that a text is gone or says where it still is', async () => {
    const file = await memoryWith([
      ['acme/ada', 'first', 'I live in Zanzibaroo.'],
      ['acme/bob', 'chat', 'Ada moved to Zanzibaroo.'],
    ])
    const forget = (scope: string, ...words: readonly string[]): ReturnType<typeof daybook> =>
      daybook(['forget', '--memory', file, '--scope', scope, '--everything', ...words])
    expect((await forget('acme/ada', '--dry-run')).stdout).toContain('Would destroy 1 message')
    const found = await forget('acme/ada', '--yes', '--prove', 'Zanzibaroo')
    expect(found).toMatchObject({ status: 1 })
    expect(found.stdout).toContain('"Zanzibaroo": table messages, column body')
    const gone = await forget('acme/bob', '--yes', '--prove', 'Zanzibaroo', '--prove', 'live in')
    expect(gone.stdout).toContain('Proved: "Zanzibaroo" and "live in" found in no table and no file')
    expect(gone.status).toBe(0)
    expect((await forget('acme/bob', '--yes')).stdout).toContain('Nothing to forget: "acme/bob" is empty')
  })

  it.each(['--everything', '--session first', '--subject Ada', '--everything --dry-run'])(
    '[words-24] refuses a text that is too short to prove before it destroys anything: %s',
    async (target) => {
      const file = await one()
      const forget = ['forget', '--memory', file, '--scope', 'acme/ada', ...target.split(' '), '--yes']
      expect(await daybook([...forget, '--prove', 'Order', '--prove', 'Mia'])).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--prove is "Mia", expected at least 4 bytes'),
      })
      const { stdout } = await daybook(['show', '--memory', file, '--scope', 'acme/ada', 'first'])
      expect(stdout).toContain('Order 7731 is late.')
    },
  )
})

it('[words-15] forget names a few of the conversations that it destroyed, and counts the others', async () => {
  const file = await memoryWith(Array.from({ length: 8 }, (_, n) => ['me', `chat-${n}`, 'Hello'] as const))
  const { stdout } = await daybook(['forget', '--memory', file, '--everything', '--yes'])
  expect(stdout).toContain('In chat-0, chat-1, chat-2, chat-3, chat-4 and 3 more conversations\n')
  expect(stdout).not.toContain('chat-5')
})

describe('daybook alone', () => {
  it('[words-8] shows scopes, counts, the last conversations and three commands that can be pasted', async () => {
    const file = await memoryWith([
      ['acme/ada', 'first', 'Order 7731 is late.'],
      ['acme/bob', "Bob's chat", 'Hello'],
    ])
    const { status, stdout } = await daybook(['--memory', file])
    expect(status).toBe(0)
    for (const shown of ['2 conversations', '2 messages', 'acme/ada', 'acme/bob', 'first'])
      expect(stdout).toContain(shown)
    const [, next = ''] = stdout.split('Next:\n')
    const hints = next.split('\n').flatMap((line) => (line.startsWith('  daybook ') ? [line.trim()] : []))
    expect(hints).toHaveLength(3)
    expect(hints[0]).toBe(`daybook show --memory ${file} --scope acme/bob 'Bob'\\''s chat'`)
    const shown = await daybook(['show', '--memory', file, '--scope', 'acme/bob', "Bob's chat"])
    expect(shown.stdout).toContain('Hello')
    expect((await daybook(['recall', '-m', file, '--scope', 'acme/bob', 'what do you want to know?'])).status).toBe(0)
  })

  it('[words-8] [walls-10] shows no password and no key of an address, and does not repeat what the environment says', async () => {
    await using memory = await openMemory(':memory:', { learn: false })
    await memory.scope('me').session('first').append({ role: 'user', content: 'Hello' })
    const { token } = await memory.keys.create({ scope: null, can: ['admin'] })
    const server = await serve(memory, { port: 0, keyFile: join(place, 'status.key') })
    const link = `${server.url}/#key=${token}`
    try {
      vi.stubEnv('DAYBOOK_MEMORY', link)
      const known = await daybook([], '', { DAYBOOK_MEMORY: link })
      vi.unstubAllEnvs()
      expect(known.stdout).toContain('1 message')
      expect(known.stdout).not.toContain('--memory')
      const given = await daybook(['status', '--memory', link])
      expect(given.stdout).toContain('--memory')
      for (const { stdout, stderr } of [known, given]) expect(stdout + stderr).not.toContain(token)
    } finally {
      await server.close()
    }
  })

  it('[words-8] lists all commands where there is no memory, the core ones first', async () => {
    const { status, stdout } = await daybook([], '', { DAYBOOK_MEMORY: join(place, 'none.db') })
    expect(status).toBe(0)
    const groups = [...stdout.matchAll(/^(\w[\w ]*):$/gm)].map(([, name]) => name)
    expect(groups.indexOf('Core commands')).toBeLessThan(groups.indexOf('Conversations'))
  })
})

describe('commands that are printed', () => {
  /** The words of what is printed after these ones, up to the end of the line. */
  const pasted = (printed: string, after: string): readonly string[] => {
    const line = printed.split('\n').find((text) => text.startsWith(after)) ?? ''
    return line.slice(after.length + 'daybook '.length).split(' ')
  }

  it('[words-31] of compact undo it and read its folds, as they are', async () => {
    const file = await memoryWith([['acme/bob', 'first', 'Hello']])
    const memory = await openMemory(file, { learn: false })
    const turns = Array.from({ length: 20 }, (_, n) => [
      { role: 'user' as const, content: `Where is order ${7000 + n}? I have waited for it since Monday.` },
      { role: 'assistant' as const, content: `Order ${7000 + n} is in Lisbon, and arrives on Friday.` },
    ])
    await memory.scope('acme/ada').session('first').append(turns.flat())
    await memory.close()
    const at = ['--memory', file, '--scope', 'acme/ada']
    const dry = await daybook(['compact', 'first', ...at, '--budget', '400', '--force', '--dry-run'])
    expect(dry.stdout).toMatch(/^Would compact [\d,]+ to [\d,]+ tokens \(40 to \d+ entries\)\n/)
    expect(dry.stdout).not.toContain('daybook ')
    const { stdout } = await daybook(['compact', 'first', ...at, '--budget', '400', '--force'])
    expect(stdout).toMatch(/^Compacted [\d,]+ to [\d,]+ tokens \(40 to \d+ entries\)\n/)
    expect((await daybook(pasted(stdout, 'To read a fold: '))).stdout).toContain('order 70')
    expect(await daybook(pasted(stdout, 'To undo it: '))).toMatchObject({ status: 0 })
    expect((await daybook(['undo', 'first', ...at])).stderr).toContain('Nothing to undo')
  })

  it('[words-31] of an import and of facts find the memory that was given', async () => {
    const file = join(place, 'printed.db')
    const chats = join(place, 'chat.json')
    writeFileSync(chats, JSON.stringify([{ role: 'user', content: 'My sister Ann lives in Lisbon.' }]))
    const { stdout } = await daybook(['import', '--create', '--memory', file, '--scope', 'me', chats])
    expect(await daybook(pasted(stdout, 'To learn facts from these messages now: '))).toMatchObject({ status: 0 })
    const waiting = await daybook(['facts', '--memory', file])
    expect((await daybook(pasted(waiting.stdout, 'To list them: '))).stdout).toContain('Lisbon')
    const endorsed = await daybook(pasted(stdout, 'Imported facts are not used before they are endorsed: '))
    expect(endorsed).toMatchObject({ status: 0 })
    expect((await daybook(['facts', '--memory', file])).stdout).toContain('Lisbon')
  })
})

describe('what need not be said', () => {
  it('[words-9] the memory, where a folder has one; where it has several, the error names them', async () => {
    const before = process.cwd()
    const here = join(place, 'one-memory')
    mkdirSync(here)
    process.chdir(here)
    try {
      const memory = await openMemory('agent.db', { learn: false })
      await memory.scope('me').session('first').append({ role: 'user', content: 'Order 7731 is late.' })
      await memory.close()
      writeFileSync('other.db', 'not a memory')
      expect((await daybook(['show', 'first'])).stdout).toContain('Order 7731 is late.')
      expect((await daybook([])).stdout).toContain('1 message')
      copyFileSync('agent.db', 'second.db')
      expect((await daybook(['show', 'first'])).stderr).toContain('Here are agent.db, second.db: add --memory agent.db')
    } finally {
      process.chdir(before)
    }
  })

  it('[words-9] the scope, where a memory has one', async () => {
    const file = await one()
    expect((await daybook(['show', '-m', file, 'first'])).stdout).toContain('Order 7731 is late.')
    expect((await daybook(['recall', '-m', file, 'what is late?'])).stdout).toContain('Order 7731 is late.')
  })

  it('[words-9] where there are several, the error names them', async () => {
    const file = await memoryWith([
      ['a', 's', 'x'],
      ['b', 's', 'y'],
    ])
    const { status, stderr } = await daybook(['sessions', '-m', file])
    expect(status).toBe(2)
    expect(stderr).toContain('No scope given: pass --scope a or set DAYBOOK_SCOPE. The memory has a, b')
  })

  it.each([
    ['before', (file: string) => ['--memory', file, '--scope=acme/ada', '--json', 'show', 'first']],
    ['after', (file: string) => ['show', 'first', '--memory', file, '--scope=acme/ada', '--json']],
  ])('[words-10] options work %s the command', async (_, words) => {
    const { stdout } = await daybook(words(await one()))
    expect(JSON.parse(stdout)).toMatchObject({ scope: 'acme/ada', session: 'first' })
  })
})

describe('the first argument', () => {
  it.each([
    ['show', []],
    ['context', ['--budget', '1000']],
    ['search', ['7731']],
    ['fork', ['second']],
    ['append', ['And again.', '--no-learn']],
    ['stats', []],
    ['cat', []],
    ['forget', ['--yes']],
    ['rm', ['--dry-run']],
  ])('[words-11] of %s is the session; with --session it can be left out', async (name, rest) => {
    const [file, again] = [await one(), await one()]
    expect(await daybook([name, '-m', file, 'first', ...rest])).toMatchObject({ status: 0 })
    expect(await daybook([name, '-m', again, '--session', 'first', ...rest])).toMatchObject({ status: 0 })
  })

  it('[words-11] of undo and reopen too', async () => {
    const file = await one()
    const undo = await daybook(['undo', '-m', file, 'first'])
    expect(undo.stderr).toContain('Nothing to undo: session "first"')
    const reopen = await daybook(['reopen', '-m', file, 'first', 'message-1'])
    expect(reopen.stdout).toContain('Order 7731 is late.')
    expect((await daybook(['search', '-m', file, '7731'])).stderr).toContain('Expected a session and a text')
  })
})

describe('help', () => {
  const names = program(shellForHelp, '0').commands.map((command) => command.name())

  it.each(names)('[words-19] of %s wraps between words on a terminal of 60 columns', async (name) => {
    let text = ''
    const sink = new PassThrough().on('data', (chunk: Buffer) => (text += chunk.toString()))
    const stdout = Object.assign(sink, { isTTY: true, columns: 60 })
    const env = { NO_COLOR: '1', PAGER: '' }
    await runCommandLine({ ...shellForHelp, stdout, env }, ['help', name], '0')
    const wide = text.split('\n').filter((line) => line.length > 60 && !/^\s*[$"{}[\]]/.test(line))
    expect(wide).toEqual([])
    const whole = (await daybook(['help', name])).stdout
    expect(text.replaceAll(/\s+/g, ' ')).toBe(whole.replaceAll(/\s+/g, ' '))
  })
})

describe('a wrong word', () => {
  it.each([
    [['show', 'first', '--limit', '3'], "unknown option '--limit': it is called --last here"],
    [['sessions', '--last', '3'], "unknown option '--last': it is called --limit here"],
    [['show', 'first', '--explain'], "unknown option '--explain': it is an option of recall, not of show"],
    [['recall', 'x', '--top-k', '3'], "unknown option '--top-k': it is called --limit here"],
    [['shwo'], '(Did you mean show?)'],
    [['help', 'shwo'], '(Did you mean show?)'],
    [['help', 'nope'], "unknown command 'nope'"],
    [['forget', 'first', '--session', 'second'], 'Cannot forget two sessions at once'],
    [['show', 'first', '--xyzzy'], 'unknown option \'--xyzzy\': "daybook help show" lists the options'],
    [['recall', 'x', '--limit', '0'], '--limit is "0", expected a positive whole number'],
    [['recall', 'x', '--limit'], '--limit needs a value'],
    [['undo', 'first', 'abc'], 'Cannot undo: the compaction is "abc", expected its number'],
    [['recall'], 'no question given: "daybook help recall" shows examples'],
  ])('[words-12] %j gives the right one', async (words, hint) => {
    const { status, stderr } = await daybook(words)
    expect(status).toBe(2)
    expect(stderr).toContain(hint)
  })

  it('[words-12] as a scope is reported, with the scopes that exist', async () => {
    const { status, stderr } = await daybook(['ls', '-m', await one(), '--scope', 'nope'])
    expect(status).toBe(3)
    expect(stderr).toContain('Cannot find scope "nope". The memory has acme/ada')
  })

  it('[words-13] no error is the name of a system call', async () => {
    const file = await one()
    const other = await openMemory(await one())
    const port = await freePort()
    const server = await serve(other, { port })
    const errors = [
      await daybook(['show', '-m', join(place, 'missing.db'), 'first']),
      await daybook(['append', '-m', file, 'first', '--input', join(place, 'missing.json')]),
      await daybook(['append', '-m', file, 'first', '--input', place]),
      await daybook(['import', '-m', file, join(place, 'missing.zip')]),
      await daybook(['restore', '-m', file, join(place, 'missing.db')]),
      await daybook(['doctor', join(place, 'missing.json')]),
      await daybook(['backup', '-m', file, join(place, 'no-folder', 'copy.db')]),
      await daybook(['export', '-m', file, join(place, 'no-folder', 'copy.daybook')]),
      await daybook(['import', '-m', file, 'x.json', '--mapping', join(place, 'missing.json')]),
      await daybook(['serve', '-m', file, '--port', String(port)]),
      await daybook(['serve', '-m', file, '--cert', join(place, 'a'), '--cert-key', join(place, 'b'), '--port', '0']),
    ]
    await server.close()
    await other.close()
    expect(errors.map(({ status }) => status)).not.toContain(0)
    expect(errors.map(({ stderr }) => stderr).filter((text) => /E[A-Z]{4,}\b|    at /.test(text))).toEqual([])
    // The name that was given, not that of a temporary file, and the remedy.
    for (const { stderr } of errors.slice(6, 8))
      expect(stderr).toMatch(
        /no-folder\/copy\.d\w+": the folder .*no-folder" does not exist\. Create it, or choose another/,
      )
  })
})

describe('init', () => {
  it.each(Object.keys(hostLines))('[words-14] prints a program for %s', async (host) => {
    const { status, stdout } = await daybook(['init', '--host', host, '--memory', 'agent.db', '--scope', 'me'])
    expect(status).toBe(0)
    expect(stdout).toContain('openMemory("agent.db")')
    expect(stdout).toContain('.scope("me")')
  })

  it('[words-14] writes the configuration of an MCP host, which works on a machine that has nothing', async () => {
    const home = folder()
    const { status } = await daybook(['init', '--host', 'cursor', '--memory', 'agent.db', '--yes'], '', { HOME: home })
    expect(status).toBe(0)
    const { mcpServers } = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')) as {
      readonly mcpServers: { readonly daybook: { readonly args: readonly string[] } }
    }
    expect(mcpServers.daybook.args).toContain('-y')
    expect(mcpServers.daybook.args).toContain('--create')
  })

  it('[words-14] puts the memory of an MCP host where "mcp install" does: into the home folder', async () => {
    const memories = [
      ['init', '--host', 'cursor'],
      ['mcp', 'install', 'cursor'],
    ].map(async (words) => {
      const home = folder()
      expect((await daybook([...words, '--yes'], '', { HOME: home })).status).toBe(0)
      const { mcpServers } = JSON.parse(readFileSync(join(home, '.cursor/mcp.json'), 'utf8')) as {
        readonly mcpServers: { readonly daybook: { readonly args: readonly string[] } }
      }
      const { args } = mcpServers.daybook
      expect(args[args.indexOf('--memory') + 1]).toBe(join(home, 'daybook.db'))
    })
    await Promise.all(memories)
  })
})

describe.skipIf(!hasTerminal)('on a terminal', () => {
  it('[words-14] init asks three questions, and uses what is offered if nothing else is typed', async () => {
    const terminal = daybookOnTerminal(['init'], { cwd: folder() })
    for (const question of [
      /Which program should have a memory\?/,
      /Which file should hold it\?/,
      /Which scope should own/,
    ]) {
      await terminal.shows(question)
      terminal.type('\r')
    }
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('openMemory("daybook.db")')
    expect(terminal.screen()).toContain('.scope("me")')
  })

  it('[words-14] Ctrl-D at a question means no, and nothing is written', async () => {
    const home = folder()
    const asking = daybookOnTerminal(['init'], { cwd: home })
    await asking.shows(/Which program should have a memory\?/)
    asking.type('\u0004')
    expect(await asking.ended).toBe(130)
    expect(asking.screen()).toContain('Nothing was written')
    const options = { cwd: home, env: { HOME: home } }
    const confirming = daybookOnTerminal(['mcp', 'install', 'cursor'], options)
    await confirming.shows(/Write this into/)
    confirming.type('\u0004')
    expect(await confirming.ended).toBe(130)
    expect(confirming.screen()).toContain('Nothing was changed')
    for (const { screen } of [asking, confirming]) expect(screen()).not.toContain('Warning: Detected')
    expect(existsSync(join(home, '.cursor'))).toBe(false)
  })

  it('[words-32] open starts a browser with a page that leads to the inspector, and prints the link', async () => {
    const programs = folder()
    writeFileSync(
      join(programs, 'xdg-open'),
      `#!/bin/sh\ncp "$1" '${join(programs, 'opened.tmp')}'\nmv '${join(programs, 'opened.tmp')}' '${join(programs, 'opened.html')}'\n`,
      { mode: 0o755 },
    )
    const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}` }
    const terminal = daybookOnTerminal(['open', '--memory', await one()], { env })
    await terminal.shows(/#key=dbk_[\w-]+[^\w-]/)
    const [link = ''] = /http:\S+#key=[\w-]+/.exec(terminal.screen()) ?? []
    await vi.waitFor(() => expect(existsSync(join(programs, 'opened.html'))).toBe(true), 10_000)
    expect(readFileSync(join(programs, 'opened.html'), 'utf8')).toContain(`content="0;url=${link}"`)
    expect(await (await fetch(link)).text()).toContain('<html')
    terminal.type('\u0003')
    await terminal.ended
  })
})

describe('facts of an import', () => {
  it('[words-9] wait in quarantine, which the list says, until they are endorsed', async () => {
    const file = await one()
    const memory = await openMemory(file, { learn: false })
    const scope = memory.scope('acme/ada')
    const [message] = await scope.session('page').append({
      role: 'assistant',
      toolCalls: [{ id: 'c1', name: 'fetch', arguments: {} }],
    })
    const [result] = await scope
      .session('page')
      .append({ role: 'tool', toolCallId: 'c1', content: 'Ada lives in Rome.' })
    expect(message.id).not.toBe(result.id)
    const sources = [{ message: result.id, session: 'page' }]
    await scope.remember({ subject: 'Ada', predicate: 'lives in', object: 'Rome', sources })
    await memory.close()
    expect((await daybook(['facts', '-m', file])).stdout).toContain(
      `1 is in quarantine until you endorse it with "daybook endorse".\nTo list it: daybook facts --memory ${file} --state quarantined`,
    )
    expect((await daybook(['endorse', '-m', file])).status).toBe(2)
    expect((await daybook(['endorse', '-m', file, '--session', 'page'])).stdout).toContain('Rome')
    expect((await daybook(['facts', '-m', file])).stdout).toContain('Rome')
  })
})
