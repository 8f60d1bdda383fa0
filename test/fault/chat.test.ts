import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/domain/message.ts'
import { lint } from '../../src/dialects/lint.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { MAIN, cleanEnv, daybook, folder } from '../cli/harness.ts'
import { times } from '../tier.ts'

const STUCK = new URL('children/stuck-chat.ts', import.meta.url)

const place = folder()
let files = 0

function fresh(): { readonly file: string; readonly at: readonly string[] } {
  files += 1
  const file = join(place, `${files}.db`)
  return { file, at: ['--memory', file, '--scope', 'acme/ada', '--session', 's'] }
}

async function logOf(file: string): Promise<readonly Message[]> {
  await using memory = await openMemory(file, { learn: false })
  expect((await memory.verify()).ok).toBe(true)
  return memory.scope('acme/ada').session('s').history()
}

const textOf = ({ parts }: Message): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')

/** Runs a program with one line to read, and kills it when it has said enough; answers how it ended. */
function killedAfter(
  words: readonly string[],
  line: string,
  isEnough: (written: string, chunks: number) => boolean,
): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, words, { env: cleanEnv(), stdio: 'pipe' })
  let written = ''
  let chunks = 0
  const hear = (chunk: Buffer): void => {
    written += chunk.toString()
    chunks += 1
    if (isEnough(written, chunks)) child.kill('SIGKILL')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.stdin.on('error', () => undefined) // killed before it read
  child.stdin.end(`${line}\n`)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (_, signal) => resolve(signal))
  })
}

describe('[cli-3] chat, killed', () => {
  it('in the middle of a tool call: the call is on record, the next start runs it again, or says that it cannot', async () => {
    const { file, at } = fresh()
    const signal = await killedAfter([fileURLToPath(STUCK), file], 'Please look it up.', (written) =>
      written.includes('in the middle'),
    )
    expect(signal).toBe('SIGKILL')
    const cut = await logOf(file)
    expect(cut.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool-call']],
    ])

    const { status, stdout, stderr } = await daybook(['chat', ...at], 'Thank you.\n')
    expect(status).toBe(0)
    expect(stderr).toContain('the last turn was interrupted')
    const replies = stdout.trimEnd().split('\n')
    expect(replies).toHaveLength(2)
    // The command has no such tool.
    expect(replies[0]).toContain('There is no tool "stuck"')
    const log = await logOf(file)
    expect(log.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user', 'assistant'])
    await using memory = await openMemory(file, { learn: false })
    const context = await memory.scope('acme/ada').session('s').context({ budget: 8_000 })
    for (const dialect of ['openai', 'anthropic', 'gemini'] as const)
      expect(lint(context.as(dialect) as never, dialect).filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('at any moment: every line is kept once and answered once, in order', async () => {
    const turn = fc.record({
      line: fc.constantFrom('remember that Ada likes tea', 'What does Ada like?', 'Just so'),
      // What it says comes in a few chunks; those beyond the last let it end by itself.
      chunks: fc.integer({ min: 1, max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 4 }), async (turns) => {
        const { file, at } = fresh()
        const said: string[] = []
        for (const [index, { line, chunks }] of turns.entries()) {
          const numbered = `${line.replace('?', '')} ${index}${line.endsWith('?') ? '?' : ''}`
          await killedAfter([MAIN, 'chat', '--create', ...at], numbered, (_, seen) => seen >= chunks)
          const users = (await logOf(file)).filter(({ role }) => role === 'user').map(textOf)
          // Not stored: whoever typed it sees no trace of it and types it again.
          if (users.at(-1) !== numbered) expect((await daybook(['chat', ...at], `${numbered}\n`)).status).toBe(0)
          said.push(numbered)
        }
        expect((await daybook(['chat', ...at])).status).toBe(0)
        const log = await logOf(file)
        expect(log.filter(({ role }) => role === 'user').map(textOf)).toEqual(said)
        const answers = log.filter(
          ({ role, parts }) => role === 'assistant' && parts.every(({ type }) => type !== 'tool-call'),
        )
        expect(answers).toHaveLength(said.length)
        expect(log.at(-1)).toBe(answers.at(-1))
      }),
      { numRuns: times({ daily: 4, nightly: 60 }) },
    )
  })
})
