import type { Project } from './project.ts'

/**
 * What the compiler finds wrong in files of a project, and in the types that daybook publishes. Types of libraries are checked too,
 * as in projects without `skipLibCheck`; errors inside other packages are theirs.
 */
export async function typeErrors(
  project: Project,
  files: readonly string[],
  options: Readonly<Record<string, unknown>> = {},
): Promise<readonly string[]> {
  const compilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: false,
    module: 'nodenext',
    types: ['node'],
    ...options,
  }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files }))
  const { code, output } = await project.run(process.execPath, [project.bin('tsc'), '-p', '.', '--pretty', 'false'])
  const lines = output.split('\n').filter((line) => /^\S.*error TS/.test(line))
  if (code !== 0 && lines.length === 0) return [output]
  return lines.filter((line) => !line.startsWith('node_modules/') || line.startsWith('node_modules/daybook/'))
}
