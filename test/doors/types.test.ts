import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Project, makeProject, readmeExample } from './project.ts'

const nodenext = { module: 'nodenext', moduleResolution: 'nodenext' }
const node16 = { module: 'node16', moduleResolution: 'node16' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }
/** Declaration files are checked too, by the oldest and the newest; the others would find the same. */
const whole = { skipLibCheck: false }

/** Every resolution with the oldest and the newest version; in between, where something changed. */
const fromModules = [
  ['5.6', { ...nodenext, ...whole }],
  ['5.6', node16],
  ['5.6', bundler],
  ['5.9', node16],
  ['6.0', nodenext],
  ['7.0', { ...nodenext, ...whole }],
  ['7.0', { ...node16, ...whole }],
  ['7.0', { ...bundler, ...whole }],
] as const
const fromCommonJS = ['5.8', '7.0']
const versions = [...new Set([...fromModules.map(([line]) => line), ...fromCommonJS])]

describe('the types of the packed package', () => {
  let project: Project
  beforeAll(async () => {
    project = await makeProject(['@types/node@24', ...versions.map((line) => `${nameOf(line)}@npm:typescript@${line}`)])
    const { exports } = JSON.parse(readFileSync(join(project.folder, 'node_modules/daybook/package.json'), 'utf8')) as {
      exports: Record<string, unknown>
    }
    // Adapters need the types of their hosts: see hosts.test.ts.
    const imports = Object.entries(exports)
      .filter(([name, target]) => name.startsWith('./') && !/[.]json|dist.adapters/.test(JSON.stringify(target)))
      .map(([name]) => name)
      .map((name, index) => `import * as entry${index} from '${name.replace('.', 'daybook')}'\nvoid entry${index}`)
    project.write('main.mts', `${readmeExample}\n${imports.join('\n')}\n`)
    project.write(
      'main.cts',
      imports.join('\n').replace(/import \* as (\w+) from ('[^']+')/g, 'import $1 = require($2)'),
    )
  })

  const check = (line: string, file: string, options: object): Promise<string> => {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      target: 'es2023',
      types: ['node'],
      ...options,
    }
    const config = `tsconfig.${nameOf(line)}.json`
    project.write(config, JSON.stringify({ compilerOptions, files: [file] }))
    const tsc = join(project.folder, 'node_modules', nameOf(line), 'bin/tsc')
    return project.run(process.execPath, [tsc, '-p', config]).then(({ code, output }) => `${output}exited with ${code}`)
  }

  it.each(fromModules)('[anywhere-8] from ESM, TypeScript %s, %o', async (line, options) => {
    expect(await check(line, 'main.mts', options)).toBe('exited with 0')
  })

  it.each(fromCommonJS)('[anywhere-8] from CommonJS, TypeScript %s', async (line) => {
    expect(await check(line, 'main.cts', nodenext)).toBe('exited with 0')
  })
})

function nameOf(line: string): string {
  return `typescript-${line.replace('.', '-')}`
}
