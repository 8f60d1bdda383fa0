import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as adapter from '../../src/adapters/ai-sdk/index.ts'
import type { Memory } from '../../src/api/memory.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { serve } from '../../src/server/index.ts'
import { compareAiSdk } from '../doors/programs/ai-sdk-sequences.mjs'
import { Subjects } from '../postgres/database.ts'
import { times } from '../tier.ts'

const runs = times({ daily: 3, nightly: 500 })

async function compare(store: string, memory: Memory, scope = 'acme/ada'): Promise<void> {
  const compared = await compareAiSdk(adapter, memory.scope(scope), runs)
  console.log(`daybook/ai-sdk on ${store}: ${compared.sequences} sequences with ${compared.calls} calls compared`)
  expect(compared.sequences).toBe(2 * runs)
}

it('[hosts-75] the AI SDK sees the same with our memory as with its own, on SQLite and through a client', async () => {
  await using memory = await openMemory(':memory:', { learn: false })
  await compare('SQLite', memory)
  const folder = mkdtempSync(join(tmpdir(), 'daybook-ai-sdk-'))
  const server = await serve(memory, { port: 0, keyFile: join(folder, 'key') })
  try {
    await using client = await openMemory(server.link ?? server.url)
    await compare('a client', client, 'acme/bob')
  } finally {
    await server.close()
    rmSync(folder, { recursive: true })
  }
})

it('[hosts-75] the AI SDK sees the same with our memory as with its own, on PostgreSQL', async () => {
  await using subjects = new Subjects()
  await using memory = await subjects.open({ learn: false })
  await compare('PostgreSQL', memory)
})
