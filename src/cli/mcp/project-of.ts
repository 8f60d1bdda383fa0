import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { McpStart } from './mcp-host.ts'

/** The folder of a project, if the server is started from its dependencies. */
export function projectOf({ args }: McpStart): string | undefined {
  for (const word of args) {
    const [, folder] = /^(.*?)[\\/]node_modules[\\/]/.exec(word) ?? []
    // Package managers keep what is installed globally in a folder with this name, which has a package.json too.
    if (folder !== undefined && existsSync(join(folder, 'package.json')) && !/[\\/]global(?:[\\/]|$)/.test(folder))
      return folder
  }
  return undefined
}
