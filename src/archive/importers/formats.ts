import type { ImportFormat } from '../../domain/import-format.ts'
import { aiSdkUi } from './ai-sdk-ui.ts'
import { chatgpt } from './chatgpt.ts'
import { claude } from './claude.ts'
import { claudeCode } from './claude-code.ts'
import type { Format } from './format.ts'
import { langchain } from './langchain.ts'
import { langgraph } from './langgraph.ts'
import { langsmith } from './langsmith.ts'
import { mcpMemory } from './mcp-memory.ts'
import { mem0 } from './mem0.ts'
import { openaiAgents } from './openai-agents.ts'
import { openaiChat } from './openai-chat.ts'

/** Every format, those with the most telling marks first: a chat message is also what many others look like. */
const formats: readonly Format[] = [
  chatgpt,
  claude,
  claudeCode,
  mcpMemory,
  langgraph,
  langsmith,
  mem0,
  openaiAgents,
  aiSdkUi,
  langchain,
  openaiChat,
]

export function formatNamed(name: ImportFormat): Format | undefined {
  return formats.find((format) => format.name === name)
}

/** Which format these first records of a file are of: by what is in them, whatever the file is called. */
export function recogniseFormat(records: readonly unknown[]): Format | undefined {
  return formats.find(({ knows }) => records.some(knows))
}
