import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Message } from '../../src/domain/message.ts'
import type { NewPassage } from '../../src/ports/recall-store.ts'
import { loadAnalyser } from '../../src/recall/analyser.ts'
import { messagePassages } from '../../src/recall/message-passages.ts'
import { passagesInTurns } from '../../src/recall/passages-in-turns.ts'

it('[walls-102] lets others run while a long message is analysed, with the same result', async () => {
  const analyser = await loadAnalyser()
  const text = Array.from({ length: 60_000 }, (_, index) => `word${index} of`).join(' ')
  const message: Message = {
    id: 'm',
    seq: 1,
    role: 'user',
    at: '2026-03-01T12:00:00.000Z',
    tokens: 1,
    tokenizer: 'none',
    revision: 0,
    parts: [{ type: 'text', text }],
  }
  let isDone = false
  let turns = 0
  const found: NewPassage[] = []
  const read = async (): Promise<void> => {
    for await (const passage of passagesInTurns(analyser, message)) found.push(passage)
    isDone = true
  }
  const reading = read()
  while (!isDone) {
    turns += 1
    await setImmediate()
  }
  expect(turns).toBeGreaterThan(5)
  await reading
  expect(found).toEqual(messagePassages(analyser, message))
})
