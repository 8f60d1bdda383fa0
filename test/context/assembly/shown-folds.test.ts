import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Policy, PolicyName } from '../../../src/api/policy.ts'
import { autoContext } from '../../../src/context/policies/auto-context.ts'
import { rolling } from '../../../src/context/policies/rolling.ts'
import type { NewMessage } from '../../../src/domain/new-message.ts'
import { call, memoryOf, text, user } from './chat.ts'

const BUDGET = 1_000
const dropping = (mode: 'contiguous' | 'skip'): Policy => ({
  name: `dropping ${mode}`,
  high: { mark: { ratio: 0.8 } },
  low: { mark: { ratio: 0.5 } },
  steps: [{ stage: 'drop', mode, keepRounds: 1 }],
  advance: 'until-low',
})
const policies: readonly (PolicyName | Policy)[] = [
  'balanced',
  'managed',
  rolling({ keep: 1, at: 3 }),
  autoContext({ messages: 4, tokens: BUDGET }),
  dropping('contiguous'),
  dropping('skip'),
]

function step(id: string, size: number): readonly NewMessage[] {
  const output = { type: 'text', text: `found in ${id} ${text(size)}` } as const
  return [call(id), { role: 'tool', parts: [{ type: 'tool-result', callId: id, name: 'look', output }] }]
}

describe('folds in a context', () => {
  it.each(policies.map((policy) => [typeof policy === 'string' ? policy : policy.name, policy] as const))(
    '[contexts-8] show a line with their id, however near to the low mark the newest step is: %s',
    async (_, policy) => {
      const memory = await memoryOf()
      let [sessions, folded] = [0, 0]
      const sizes = fc.array(fc.integer({ min: 80, max: 400 }), { minLength: 2, maxLength: 5 })
      await fc.assert(
        fc.asyncProperty(sizes, fc.integer({ min: 300, max: 600 }), async (earlier, newest) => {
          const chat = memory.scope('acme').session(`chat-${++sessions}`)
          await chat.append(user('What failed in job 9?'))
          for (const [index, size] of [...earlier, newest].entries()) {
            await chat.append(step(`step-${index}`, size))
            const { messages, receipt } = await chat.context({ budget: BUDGET, policy })
            const shown = JSON.stringify(messages)
            for (const line of receipt.lines) {
              if (line.type !== 'folded') continue
              folded += 1
              expect(line.tokens, line.fold).toBeGreaterThan(0)
              expect(shown).toContain(line.fold)
            }
          }
        }),
        { numRuns: 6 },
      )
      expect(folded).toBeGreaterThan(0)
    },
  )
})
