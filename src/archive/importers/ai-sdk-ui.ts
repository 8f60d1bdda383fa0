import { field, isArray } from '../../dialects/canonical/json.ts'
import { readUI } from '../../dialects/ai-sdk-ui/read.ts'
import type { Format } from './format.ts'
import { messageList, transcriptFormat } from './transcript.ts'

/** UI messages of the Vercel AI SDK, as its users store them: chats with their messages, or the messages of one. */
export const aiSdkUi: Format = transcriptFormat({
  name: 'ai-sdk-ui',
  isMessage: (value) => typeof field(value, 'role') === 'string' && isArray(field(value, 'parts')),
  messagesOf: (record) => messageList(record, ['messages']),
  read: readUI,
})
