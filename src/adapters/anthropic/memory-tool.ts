import type { Scope } from '../../api/scope.ts'
import { type MemoryFiles, type MemoryFilesOptions, memoryFiles } from './memory-files.ts'

/** A command of the memory tool, as a model sends it. */
export type MemoryCommand = {
  [Name in keyof MemoryFiles]: { readonly command: Name } & Parameters<MemoryFiles[Name]>[0]
}[keyof MemoryFiles]

/** The tool as `client.beta.messages.toolRunner` takes it. */
export interface RunnableMemoryTool {
  type: 'memory_20250818'
  name: 'memory'
  /** Takes the input of the model as it is. */
  parse(input: unknown): MemoryCommand
  /** Runs one command. */
  run(command: MemoryCommand): Promise<string>
}

/** Anthropic's memory tool, with its files kept in a scope. */
export function memoryTool(scope: Pick<Scope, 'records'>, options: MemoryFilesOptions = {}): RunnableMemoryTool {
  const files = memoryFiles(scope, options)
  return {
    type: 'memory_20250818',
    name: 'memory',
    parse: (input) => input as MemoryCommand,
    run: async (command) => {
      // In the words of the SDK's own tool: a model that invents a command reads the same text from both.
      if (!Object.hasOwn(files, command.command)) throw new Error(`${String(command.command)} not implemented`)
      const handle = files[command.command] as (given: MemoryCommand) => Promise<string>
      return handle(command)
    },
  }
}
