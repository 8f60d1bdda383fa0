/**
 * What Claude Code and agents of the Claude Agent SDK said in a folder, kept in agent.db and recalled from there.
 *
 *   npm install daybook @anthropic-ai/claude-agent-sdk
 *   node agent.mjs "Why did we choose SQLite?" ~/my-project
 *
 * An agent keeps its transcript there while it runs: `query({ prompt, options: { sessionStore } })`.
 */
import { importSessionToStore, listSessions } from '@anthropic-ai/claude-agent-sdk'
import { openMemory } from 'daybook'
import { DaybookSessionStore } from 'daybook/claude-agent'

const [, , question = 'What did we decide?', dir = process.cwd()] = process.argv
await using memory = await openMemory('agent.db')
const scope = memory.scope('acme/ada')
const sessionStore = new DaybookSessionStore(scope)

// Doing it twice changes nothing: each entry is stored once.
for (const { sessionId } of await listSessions({ dir })) await importSessionToStore(sessionId, sessionStore, { dir })
for (const { summary } of await listSessions({ dir, sessionStore })) console.log(`Session: ${summary}`)

const { items } = await scope.recall(question, { limit: 3, fresh: true })
for (const { text, source } of items) console.log(`${source.session}#${source.seq}: ${text}`)
