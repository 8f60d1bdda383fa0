import { quote } from './refuse.ts'
import { systemProblem } from './system-problem.ts'

/** Why no file could be created in a folder, and what to do. */
export function folderProblem(folder: string, error: unknown): string {
  const { code } = error as { readonly code?: string }
  if (code === 'ENOENT') return `the folder ${quote(folder)} does not exist. Create it, or choose another one`
  return `${systemProblem(error)}. Choose a folder that you may write to`
}
