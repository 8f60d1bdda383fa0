/**
 * Two agents of one team: each has a scope of its own, and both read the facts of the team's scope above them.
 *
 *   node examples/two-agents.ts
 */
import process from 'node:process'
import { openMemory } from '../src/index.ts'

await using memory = await openMemory(process.env['DAYBOOK_MEMORY'] ?? 'team.db')
const [team, researcher, writer] = ['team', 'team/researcher', 'team/writer'].map((path) => memory.scope(path))
if (team === undefined || researcher === undefined || writer === undefined) throw new Error('three scopes')

// The researcher keeps its notes to itself, and shares what it found.
const [note] = await researcher
  .session('notes')
  .append({ role: 'assistant', content: 'Port 5432 was closed; 5433 works.' })
await team.remember({ subject: 'database', predicate: 'port', object: 5433 }, { channel: 'agent' })

console.log('the writer knows:', (await writer.facts({ subject: 'database' })).map(({ text }) => text).join(', '))
console.log(
  'and cannot read the notes:',
  (await writer.recall('port 5432', { kinds: ['message'], fresh: true })).items.length,
)
console.log(
  'the researcher can:',
  (await researcher.recall('port 5432', { kinds: ['message'], fresh: true })).items[0]?.source.id === note.id,
)
