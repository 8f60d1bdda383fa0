/**
 * Imports a ChatGPT export and asks about it.
 *
 *   node examples/chatgpt-import.ts ~/Downloads/chatgpt-export.zip "Which book did I like?"
 *
 * Without arguments, it writes a small export and uses that.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { openMemory } from '../src/index.ts'

function smallExport(): string {
  const author = (role: string): object => ({ role, name: null, metadata: {} })
  const node = (id: string, parent: string | null, children: string[], message: object | null): object => ({
    id,
    parent,
    children,
    message,
  })
  const said = (id: string, role: string, text: string): object => ({
    id,
    author: author(role),
    create_time: 1_760_000_000,
    content: { content_type: 'text', parts: [text] },
    metadata: {},
  })
  const mapping = {
    root: node('root', null, ['m1'], null),
    m1: node('m1', 'root', ['m2'], said('m1', 'user', 'I loved the book Piranesi.')),
    m2: node('m2', 'm1', [], said('m2', 'assistant', 'Susanna Clarke also wrote Jonathan Strange.')),
  }
  const file = join(mkdtempSync(join(tmpdir(), 'daybook-example-')), 'conversations.json')
  const chat = {
    id: 'chat-1',
    conversation_id: 'chat-1',
    title: 'Books',
    create_time: 1_760_000_000,
    current_node: 'm2',
    mapping,
  }
  writeFileSync(file, JSON.stringify([chat]))
  return file
}

const [path = smallExport(), question = 'Which book did I love?'] = process.argv.slice(2)
await using memory = await openMemory(process.env['DAYBOOK_MEMORY'] ?? 'chatgpt.db')
const me = memory.scope('me')
const report = await me.import(path)
console.log(`imported ${report.messages.new} messages in ${report.sessionCount} conversations`)
const { items } = await me.recall(question, { limit: 3, fresh: true })
for (const { text, at, source } of items) console.log(`${at.slice(0, 10)} ${source.session}: ${text}`)
