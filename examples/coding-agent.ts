/**
 * A coding agent whose tool results are large: the context stays within a small budget, and nothing is lost.
 *
 *   node examples/coding-agent.ts
 */
import process from 'node:process'
import { openMemory } from '../src/index.ts'

await using memory = await openMemory(process.env['DAYBOOK_MEMORY'] ?? 'coding.db')
const chat = memory.scope('acme/ada').session(`task-${Date.now()}`)

await chat.append({ role: 'user', content: 'The test of the parser fails. Find out why.' })
for (let step = 1; step <= 30; step++) {
  const id = `read-${step}`
  await chat.append({
    role: 'assistant',
    toolCalls: [{ id, name: 'read_file', arguments: { path: `src/file-${step}.ts` } }],
  })
  const file = Array.from({ length: 40 }, (_, line) => `${line}: const value${line} = parse(input[${line}])`).join('\n')
  const error = step === 7 ? '\nTypeError: cannot read token of undefined at parser.ts:118' : ''
  await chat.append({ role: 'tool', toolCallId: id, content: file + error })
}
await chat.append({ role: 'assistant', content: 'I have read the files.' })
await chat.append({ role: 'user', content: 'What was the error?' })

const context = await chat.context({ budget: 4_000, system: 'You are a coding agent.' })
const folded = context.receipt.lines.filter((line) => line.type === 'folded')
const { messages } = await chat.stats()
console.log(`${messages} messages in the log, ${context.tokens} of 4000 tokens in the context, ${folded.length} folds`)
console.log('the error is still visible:', JSON.stringify(context.messages).includes('parser.ts:118'))

const [first] = folded
if (first?.type === 'folded') {
  const page = await chat.reopen(first.fold, { limit: 80 })
  console.log('reopened:', page.text.split('\n')[0])
}
