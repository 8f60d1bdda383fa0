import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMemory } from '../../src/memory/open-memory.ts'
import { openSqliteStore } from '../../src/stores/sqlite/store.ts'

it('[tok-3] learns from reported usage, per model, and keeps it in the file', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'daybook-calibration-'))
  const file = join(directory, 'm.db')
  const memory = await openMemory(file)
  const chat = memory.scope('a').session('s')
  await chat.append({
    role: 'user',
    content: 'All happy families are alike; each unhappy family is unhappy in its own way. '.repeat(20),
  })
  const estimated = (await chat.stats()).tokens
  await Promise.all(
    Array.from({ length: 10 }, () => chat.usage({ model: 'claude-x', inputTokens: Math.round(estimated * 1.2) })),
  )
  await chat.usage({ model: 'other', inputTokens: 500, estimatedTokens: 1_000 })
  await chat.usage({ model: 'other', inputTokens: 0, estimatedTokens: 1_000 })
  await memory.close()
  const store = await openSqliteStore(file, Date.now)
  const learned = await store.calibrations.read({ model: 'claude-x', tokenizer: 'estimate-1' })
  expect(learned).toMatchObject({ model: 'claude-x', samples: 10 })
  expect(learned?.ratio).toBeCloseTo(1.2, 1)
  expect(await store.calibrations.read({ model: 'other', tokenizer: 'estimate-1' })).toMatchObject({
    samples: 1,
    ratio: 0.5,
    ignored: 1,
  })
  expect(await store.calibrations.read({ model: 'claude-x', tokenizer: 'o200k_base' })).toBeUndefined()
  await store.close()
  rmSync(directory, { recursive: true })
})
