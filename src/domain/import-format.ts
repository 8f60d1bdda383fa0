/** The formats of other programs that can be imported. */
export const importFormats = [
  'chatgpt',
  'claude',
  'claude-code',
  'mcp-memory',
  'langgraph',
  'langsmith',
  'mem0',
  'openai-agents',
  'ai-sdk-ui',
  'langchain',
  'openai-chat',
] as const

export type ImportFormat = (typeof importFormats)[number]
