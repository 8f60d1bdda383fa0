import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../examples')
const expected = {
  'support-bot': ['waits for approval: refund', 'I have refunded your order.'],
  'coding-agent': ['63 messages in the log', 'the error is still visible: true', 'reopened: [1]'],
  'personal-assistant': [
    'user lives in Lisbon',
    'lived in Berlin until: Friday',
    'recalled for the model: My name is Ada.',
  ],
  'two-agents': ['the writer knows: database port 5433', 'and cannot read the notes: 0', 'the researcher can: true'],
  'chatgpt-import': ['imported 2 messages in 1 conversations', 'chat-1: I loved the book Piranesi.'],
  'deletion-request': ['proved: true', 'the log is still whole: true'],
} as const

/** All in one process: each has a memory of its own. */
let output: Record<string, string>

beforeAll(async () => {
  const names = Object.keys(expected)
  const program = `for (const name of ${JSON.stringify(names)}) { console.log('## ' + name); await import(${JSON.stringify(`${folder}/`)} + name + '.ts') }`
  const env = { ...process.env, DAYBOOK_MEMORY: ':memory:', DAYBOOK_BASE_URL: '' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { env })
  output = Object.fromEntries(stdout.split('## ').map((part) => [part.split('\n')[0], part]))
}, 120_000)

describe('the examples', () => {
  it.each(Object.entries(expected))('[words-18] %s runs with a scripted model', (name, lines) => {
    for (const line of lines) expect(output[name]).toContain(line)
  })
})
