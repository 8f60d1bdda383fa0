import { readLangChain, unwrap } from '../../dialects/langchain/read.ts'
import type { Format } from './format.ts'
import { messageList, transcriptFormat } from './transcript.ts'

/** Messages of LangChain in any of the forms it stores them in. */
export const langchain: Format = transcriptFormat({
  name: 'langchain',
  isMessage: (value) => unwrap(value) !== undefined,
  messagesOf: (record) => messageList(record, ['messages', 'history']),
  read: readLangChain,
})
