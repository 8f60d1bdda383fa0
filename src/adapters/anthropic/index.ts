export { memoryTool } from './memory-tool.ts'
export type { MemoryCommand, RunnableMemoryTool } from './memory-tool.ts'
export { memoryFiles } from './memory-files.ts'
export type { MemoryFiles, MemoryFilesOptions } from './memory-files.ts'
