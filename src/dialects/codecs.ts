import type { Dialect } from '../domain/dialect.ts'
import { isArray } from './canonical/json.ts'
import { lintDaybook } from './canonical/lint.ts'
import { readDaybook } from './canonical/read.ts'
import { awaitedCalls } from './ai-sdk/approvals.ts'
import { lintAISDK } from './ai-sdk/lint.ts'
import { aisdkMessages, readAISDK } from './ai-sdk/read.ts'
import { writeAISDK } from './ai-sdk/write.ts'
import { lintUI } from './ai-sdk-ui/lint.ts'
import { readUI, uiMessages } from './ai-sdk-ui/read.ts'
import { writeUI } from './ai-sdk-ui/write.ts'
import { lintAnthropic } from './anthropic/lint.ts'
import { anthropicMessages, readAnthropic } from './anthropic/read.ts'
import { writeAnthropic } from './anthropic/write.ts'
import type { Codec } from './codec.ts'
import type { DialectForms } from './forms.ts'
import { lintGemini } from './gemini/lint.ts'
import { geminiContents, readGemini } from './gemini/read.ts'
import { writeGemini } from './gemini/write.ts'
import { lintLangChain } from './langchain/lint.ts'
import { langchainMessages, readLangChain } from './langchain/read.ts'
import { writeLangChain } from './langchain/write.ts'
import { lintOpenAI } from './openai/lint.ts'
import { openaiMessages, readOpenAI } from './openai/read.ts'
import { writeOpenAI } from './openai/write.ts'
import { lintResponses } from './openai-responses/lint.ts'
import { responsesItems } from './openai-responses/items.ts'
import { readResponses } from './openai-responses/read.ts'
import { writeResponses } from './openai-responses/write.ts'

type Codecs = { readonly [D in Dialect]: Codec<DialectForms[D]> }

/** Every dialect, by name. */
export const codecs: Codecs = {
  daybook: {
    wanted: 'an array of { role, parts }',
    list: (wire) => (isArray(wire) ? wire : undefined),
    lint: lintDaybook,
    read: readDaybook,
    write: (drafts) => [...drafts],
  },
  openai: {
    wanted: 'an array of messages, or { messages }',
    list: (wire) => openaiMessages(wire)?.messages,
    lint: lintOpenAI,
    read: readOpenAI,
    write: writeOpenAI,
  },
  'openai-responses': {
    wanted: 'an array of input items, or { input }',
    list: (wire) => responsesItems(wire)?.items,
    lint: lintResponses,
    read: readResponses,
    write: writeResponses,
  },
  anthropic: {
    wanted: 'an array of messages, or { system, messages }',
    keys: { messages: 'messages', system: ['system'] },
    list: (wire) => anthropicMessages(wire)?.messages,
    lint: lintAnthropic,
    read: readAnthropic,
    write: writeAnthropic,
  },
  gemini: {
    wanted: 'an array of contents, or { systemInstruction, contents }',
    keys: { messages: 'contents', system: ['systemInstruction'] },
    list: (wire) => geminiContents(wire)?.contents,
    lint: lintGemini,
    read: readGemini,
    write: writeGemini,
  },
  'ai-sdk': {
    wanted: 'an array of messages, or { instructions, messages }',
    keys: { messages: 'messages', system: ['instructions', 'system'] },
    list: (wire) => aisdkMessages(wire)?.messages,
    lint: lintAISDK,
    read: readAISDK,
    awaited: awaitedCalls,
    write: writeAISDK,
  },
  'ai-sdk-ui': {
    wanted: 'an array of UI messages, or { messages }',
    list: (wire) => uiMessages(wire)?.messages,
    lint: lintUI,
    read: readUI,
    awaited: awaitedCalls,
    write: writeUI,
  },
  langchain: {
    wanted: 'an array of messages, or { messages }',
    list: (wire) => langchainMessages(wire)?.messages,
    lint: lintLangChain,
    read: readLangChain,
    write: writeLangChain,
  },
}
