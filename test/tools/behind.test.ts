import { expect, it } from 'vitest'
import { memoryTools } from '../../src/tools/memory-tools.ts'

it('[walls-41] the tool that looks something up says when it finds nothing because messages are not indexed yet', async () => {
  for (const behind of [undefined, { sessions: 1, messages: 12 }]) {
    const scope = { recall: async () => ({ items: [], ...(behind === undefined ? {} : { behind }) }) }
    const tools = memoryTools({ scope: scope as never, session: 's', budget: 500 })
    const retrieve = tools.find(({ name }) => name === 'retrieve_from_memory')
    const text = await retrieve?.execute({ keywords: ['7731'] })
    const later = ' 12 messages are not indexed yet: look again in a moment.'
    expect(text).toBe(`Nothing was found for ["7731"].${behind === undefined ? '' : later}`)
  }
})
