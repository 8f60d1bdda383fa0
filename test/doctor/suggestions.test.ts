import { expect, it } from 'vitest'
import { diagnose } from '../../src/doctor/index.ts'

it('[doc-2] of several things that are wrong with one message, each is suggested its own repair', () => {
  const call = (id: string, text: string): object => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: text },
  })
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call('c1', '{}'), call('c2', '{')] },
    { role: 'tool', tool_call_id: 'c1', content: 'ok' },
    { role: 'user', content: 'and?' },
  ]
  const { findings } = diagnose(JSON.stringify(messages))
  expect(findings.map(({ rule, fix }) => [rule, fix])).toEqual([
    ['O3', 'Wrapped the arguments of the call "c2", which were not a JSON object'],
    ['O2', 'Added an error result for the call "c2": it had none'],
  ])
})
