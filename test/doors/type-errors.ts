import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Project } from './project.ts'

/**
 * What the compiler finds wrong in files of a project that use an adapter, and in the types that the adapter publishes, as in a project
 * without `skipLibCheck`. For that its declarations are compiled as programs: checking those of all packages takes half a minute.
 */
export async function typeErrors(
  project: Project,
  { adapter, files }: { readonly adapter: string; readonly files: readonly string[] },
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const folder = `node_modules/daybook/dist/adapters/${adapter}`
  const declared = readdirSync(join(project.folder, folder)).filter((file) => file.endsWith('.d.ts'))
  const copies = declared.map((file) => {
    const copy = `${folder}/checked-${file.replace('.d.ts', '.ts')}`
    project.write(copy, readFileSync(join(project.folder, folder, file), 'utf8'))
    return copy
  })
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', types: ['node'] }
  const configuration = { compilerOptions: { ...compilerOptions, ...options }, files: [...files, ...copies] }
  project.write('tsconfig.json', JSON.stringify(configuration))
  const { code, output } = await project.run(process.execPath, [project.bin('tsc'), '-p', '.', '--pretty', 'false'])
  return code === 0 ? '' : output
}
