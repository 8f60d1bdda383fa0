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
  const estimated = (await chat.context({ budget: 10_000, model: 'claude-x' })).tokens / 1.15
  await Promise.all(
    Array.from({ length: 10 }, () => chat.usage({ model: 'claude-x', inputTokens: Math.round(estimated * 1.2) })),
  )
  await chat.usage({ model: 'other', inputTokens: 500, estimatedTokens: 1_000 })
  await chat.usage({ model: 'other', inputTokens: 0, estimatedTokens: 1_000 })
  await memory.close()
  const store = await openSqliteStore(file, Date.now)
  const learned = await store.calibrations.read({ scope: 'a', model: 'claude-x', tokenizer: 'estimate-2' })
  expect(learned).toMatchObject({ model: 'claude-x', samples: 10 })
  expect(learned?.ratio).toBeCloseTo(1.2, 1)
  expect(await store.calibrations.read({ scope: 'a', model: 'other', tokenizer: 'estimate-2' })).toMatchObject({
    samples: 1,
    ratio: expect.closeTo(Math.exp(-0.45)),
    ignored: 1,
  })
  expect(await store.calibrations.read({ scope: 'a', model: 'claude-x', tokenizer: 'o200k_base' })).toBeUndefined()
  await store.close()
  rmSync(directory, { recursive: true })
})

it('[tok-3] [ctx-2] compares with the context that was sent, not with the whole history', async () => {
  await using memory = await openMemory(':memory:')
  const chat = memory.scope('a').session('s')
  const model = 'claude-x'
  const budget = 4_000
  let counted = 0
  for (let turn = 0; turn < 40; turn++) {
    await chat.append([
      { role: 'user', content: `Question ${turn}: ${'what about this one, then? '.repeat(10)}` },
      { role: 'assistant', content: `Answer ${turn}: ${'that one is quite all right. '.repeat(10)}` },
    ])
    const context = await chat.context({ budget, model })
    counted = 3
    for (const { tokens } of context.messages as readonly { tokens?: number }[]) counted += tokens ?? 0
    expect(context.tokens).toBeLessThanOrEqual(budget)
    // Folds have no count of their own here; they are few, and what the provider counts is ten percent more than we do.
    await chat.usage({ model, inputTokens: Math.round(counted * 1.1) })
    expect(counted * 1.1).toBeLessThanOrEqual(budget)
  }
  await expect(memory.scope('a').session('other').usage({ model, inputTokens: 10 })).rejects.toMatchObject({
    code: 'input/invalid',
  })
})
