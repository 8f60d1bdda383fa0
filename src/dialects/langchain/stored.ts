import type { LangChainMessage } from './types.ts'

/**
 * A message as LangChain types what it stores: `mapStoredMessagesToChatMessages` makes real messages of it. LangChain types the
 * content as text; the value may hold blocks, which that function takes as well.
 */
export interface LangChainStored {
  type: LangChainMessage['type']
  data: LangChainStoredData
}

interface LangChainStoredData extends Omit<LangChainMessage['data'], 'content' | 'name' | 'tool_call_id'> {
  content: string
  role: string | undefined
  name: string | undefined
  tool_call_id: string | undefined
}
