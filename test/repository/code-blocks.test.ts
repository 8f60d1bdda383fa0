import { describe, expect, it } from 'vitest'

import { codeBlocks, programs } from './code-blocks.ts'

const document = [
  'Text',
  '```ts',
  'const a = 1',
  '```',
  'More',
  '```ts continues',
  'a + 1',
  '```',
  '```bash',
  'ls',
  '```',
]

describe('the code blocks of a document', () => {
  it('[repo-5] are found with their language and line', () => {
    expect(codeBlocks(document.join('\n')).map(({ language, note, line }) => [language, note, line])).toEqual([
      ['ts', '', 3],
      ['ts', 'continues', 7],
      ['bash', '', 10],
    ])
  })

  it('[repo-5] become programs that keep the line numbers', () => {
    expect(programs(codeBlocks(document.join('\n')))).toEqual([{ line: 3, text: '\n\nconst a = 1\n\n\n\na + 1' }])
  })

  it('[repo-5] must be closed', () => {
    expect(() => codeBlocks('```ts\nconst a = 1')).toThrow('the block of line 1 is not closed')
  })
})
