/**
 * A short tour: append to a real file, see what a model would get, kill the process that writes, open the file again.
 *
 *   npm run tour
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openMemory } from '../src/index.ts'

const say = (text = ''): void => void process.stdout.write(`${text}\n`)

async function tour(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-tour-'))
  const file = join(directory, 'agent.db')
  try {
    await firstConversation(file)
    await reopened(file, await killedWriter(file))
  } finally {
    rmSync(directory, { recursive: true })
  }
}

async function firstConversation(file: string): Promise<void> {
  say(`1. A memory is one file: ${file}`)
  const memory = await openMemory(file)
  const chat = memory.scope('acme/ada').session('support-42', { description: 'You help customers of Acme.' })
  await chat.append([
    { role: 'user', content: 'My order 7731 is late, again.' },
    {
      role: 'assistant',
      content: 'Let me look.',
      toolCalls: [{ id: 'call_1', name: 'find_order', arguments: { order: 7731 } }],
    },
  ])
  await chat.append({ role: 'tool', toolCallId: 'call_1', content: { state: 'lost', carrier: 'Pony Express' } })
  for (const message of await chat.history())
    say(`   ${String(message.seq).padStart(2)}  ${message.role.padEnd(9)} ${message.tokens} tokens`)
  say()
  say('2. What a model is given, in the dialect of its provider (here OpenAI chat):')
  const context = await chat.context({ budget: 8_000 })
  for (const message of context.as('openai')) say(`   ${JSON.stringify(message)}`)
  await memory.close()
  say()
}

/** A second process appends as fast as it can and tells each acknowledged number; it is killed in the middle. */
async function killedWriter(file: string): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, import.meta.filename, 'write', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line)
    if (acknowledged === 500) child.kill('SIGKILL')
  }
  say(
    `3. Another process appended to the same session and was killed (kill -9) after message ${acknowledged} was acknowledged.`,
  )
  say()
  return acknowledged
}

async function write(file: string): Promise<void> {
  const memory = await openMemory(file)
  const chat = memory.scope('acme/ada').session('support-42')
  for (;;) {
    const [message] = await chat.append({ role: 'user', content: 'Are you still there?' })
    process.stdout.write(`${message?.seq}\n`)
  }
}

async function reopened(file: string, acknowledged: number): Promise<void> {
  await using memory = await openMemory(file)
  const chat = memory.scope('acme/ada').session('support-42')
  const history = await chat.history()
  const gapless = history.every((message, index) => message.seq === index + 1)
  const report = await memory.verify()
  const good = history.length >= acknowledged && gapless && report.ok
  say(
    `4. Opened again: ${history.length} messages, numbered without a gap: ${good ? 'every acknowledged one is there' : 'MESSAGES ARE MISSING'}.`,
  )
  say(`   Every stored byte checked against the hash chain: ${report.ok ? 'nothing has changed' : 'DAMAGE FOUND'}.`)
  say()
  say('Next: README.md, or type  npm test  to see every promise checked.')
  if (!good) process.exitCode = 1
}

const [mode, file] = process.argv.slice(2)
await (mode === 'write' && file !== undefined ? write(file) : tour())
