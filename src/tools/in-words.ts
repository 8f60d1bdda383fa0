import { visible } from '../domain/visible-json.ts'
import type { Tool } from '../api/tool.ts'

const ERROR_CHARACTERS_MAX = 500

/** The tool with errors as answers: an agent reads, it does not catch. */
export function inWords(tool: Tool): Tool {
  return {
    ...tool,
    execute: async (input) => {
      try {
        return await tool.execute(input)
      } catch (error) {
        const message = error instanceof Error ? error.message : 'an error that cannot be read'
        return `${tool.name} did not work: ${visible(message.slice(0, ERROR_CHARACTERS_MAX))}`
      }
    },
  }
}
