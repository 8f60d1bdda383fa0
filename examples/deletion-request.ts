/**
 * A deletion request, from start to proof: see docs/deletion.md.
 *
 *   node examples/deletion-request.ts
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-example-'))
await using memory = await openMemory(join(folder, 'agent.db'))
const ada = memory.scope('acme/ada')
await ada.session('support-42').append({ role: 'user', content: 'My name is Ada Keller. I live in Lisbon.' })
await memory.settled()
console.log('known:', (await ada.facts()).map(({ text }) => text).join(', '))

const receipts = []
for (const { id } of (await ada.sessions()).sessions)
  receipts.push(await ada.forget({ session: id }, { reason: 'request 118', forks: true }))
receipts.push(await ada.forget({ subject: 'user' }, { reason: 'request 118' }))
for (const receipt of receipts) {
  const { ok } = await memory.verifyForgotten(receipt, ['Keller', 'Lisbon'])
  console.log(`receipt ${receipt.id}: ${receipt.messages} messages, ${receipt.facts} facts, proved: ${ok}`)
}
console.log('the log is still whole:', (await memory.verify()).ok)
