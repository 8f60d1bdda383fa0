/**
 * A personal assistant that learns facts from what is said, corrects them, and says where it has them from.
 *
 *   node examples/personal-assistant.ts
 */
import process from 'node:process'
import { openMemory } from '../src/index.ts'

await using memory = await openMemory(process.env['DAYBOOK_MEMORY'] ?? 'assistant.db')
const me = memory.scope('me')
const monday = me.session('monday')
await monday.append({ role: 'user', content: 'My name is Ada. I live in Berlin. I am allergic to peanuts.' })
await memory.settled()
await me.session('friday').append({ role: 'user', content: 'I moved to Lisbon.' })
await memory.settled()

for (const fact of await me.facts()) console.log(fact.text)
const [past] = await me.facts({ predicate: 'lives_in', object: 'Berlin', includeClosed: true })
console.log('lived in Berlin until:', past?.validTo === undefined || past.validTo === null ? 'unknown' : 'Friday')

const { items } = await me.recall('Where do I live?', { kinds: ['fact'] })
console.log('found:', items[0]?.text, 'because of:', items[0]?.why.words.map(({ word }) => word).join(', '))

const context = await me
  .session('today')
  .context({ budget: 2_000, system: 'You are my assistant.', recall: { query: 'allergies' } })
console.log('recalled for the model:', context.recalled.map(({ text }) => text).join(' | '))
