import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ROOT, run, runTool } from '../../scripts/run.ts'
import { codeBlocks, commentExamples, programs } from './code-blocks.ts'

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownOf('docs')]

function markdownOf(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** The text under a heading, up to the next heading of its level. */
function section(document: string, heading: string): string {
  const [, after = ''] = `\n${read(document)}`.split(`\n## ${heading}\n`)
  return after.split('\n## ')[0] ?? ''
}

const { name: packageName, scripts } = JSON.parse(read('package.json')) as {
  name: string
  scripts: Record<string, string>
}

describe('the documents', () => {
  it.each([
    ['README.md', ['Step by step', 'The five verbs', 'Two commands', 'Where data lives', 'Licence']],
    ['ARCHITECTURE.md', ['The life of a message', 'The tree', 'Invariants']],
    ['CONTRIBUTING.md', ['Set-up', 'Commands', 'Tests', 'Style']],
    ['CHANGELOG.md', ['Unreleased']],
  ])('[repo-4] %s has its sections', (document, headings) => {
    for (const heading of headings) expect(section(document, heading).trim(), `## ${heading}`).not.toBe('')
  })

  it('[repo-4] README.md fits on a few screens', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150)
  })

  it('[repo-4] README.md shows its five verbs in one example', () => {
    const verbs = [...section('README.md', 'The five verbs').matchAll(/^\| `(\w+)`/gm)].map(([, verb = '']) => verb)
    const [example = ''] = programs(codeBlocks(section('README.md', 'Step by step'))).map(({ text }) => text)
    expect(verbs).toHaveLength(5)
    expect(verbs.filter((verb) => !example.includes(`.${verb}(`))).toEqual([])
  })

  it('[repo-4] README.md names the two commands', () => {
    const commands = codeBlocks(section('README.md', 'Two commands')).map(({ text }) => text)
    expect(commands.join('\n').split('\n').toSorted()).toEqual(['npm start', 'npm test'])
  })

  it('[surface-51] ARCHITECTURE.md fits one sitting, with two pictures, a glossary and where to add things', () => {
    const text = read('ARCHITECTURE.md')
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(1_500)
    expect(codeBlocks(text).filter(({ text: block }) => /[─│]/.test(block)).length).toBe(2)
    for (const heading of ['Glossary', 'Where do I add …']) expect(section('ARCHITECTURE.md', heading)).not.toBe('')
  })

  it('[repo-4] ARCHITECTURE.md states invariants, several of them absences', () => {
    const invariants = section('ARCHITECTURE.md', 'Invariants').match(/^- .+/gm) ?? []
    expect(invariants.length).toBeGreaterThanOrEqual(6)
    expect(invariants.filter((line) => /^- \*\*(No|Nothing|Nobody)\b/.test(line)).length).toBeGreaterThanOrEqual(3)
  })
})

describe('the code blocks', () => {
  /** Inside the repository, so that its packages are found; `daybook` is the source. */
  let folder: string
  let cwd: string

  const examples = documents.flatMap((document) =>
    programs(codeBlocks(read(document))).map(({ line, text }) => {
      const file = `${document.replaceAll(/\W/g, '-').toLowerCase()}-${line}.ts`
      return { where: `${document}:${line}`, file, text }
    }),
  )

  const commented = [
    ...readdirSync(join(ROOT, 'src/api')).map((name) => `src/api/${name}`),
    'src/memory/open-memory.ts',
  ]
    .flatMap((source) => commentExamples(read(source)).map((example) => ({ source, ...example })))
    .map(({ source, line, text }) => ({ file: `${source.replaceAll(/\W/g, '-')}-${line}.ts`, text }))

  beforeAll(() => {
    mkdirSync(join(ROOT, 'scratch'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'scratch/documents-'))
    cwd = mkdtempSync(join(tmpdir(), 'daybook-documents-'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), '{ "extends": "../../tsconfig.json", "include": ["*.ts"] }')
    const entries = [
      ['.', 'index', 'index.ts'],
      ['./archive', 'archive', 'archive.ts'],
      ['./doctor', 'doctor', 'doctor/index.ts'],
      ['./documents', 'documents', 'documents/index.ts'],
    ] as const
    const installed = join(folder, 'node_modules', packageName)
    mkdirSync(installed, { recursive: true })
    const exports = entries.map(([key, file]) => [key, { types: `./${file}.d.ts`, import: `./${file}.js` }])
    writeFileSync(
      join(installed, 'package.json'),
      JSON.stringify({ name: packageName, type: 'module', exports: Object.fromEntries(exports) }),
    )
    for (const [, file, source] of entries) {
      for (const extension of ['js', 'd.ts']) {
        writeFileSync(join(installed, `${file}.${extension}`), `export * from '../../../../src/${source}'\n`)
      }
    }
    for (const { file, text } of [...examples, ...commented]) writeFileSync(join(folder, file), `${text}\nexport {}\n`)
    writeFileSync(join(folder, 'commented.ts'), commented.map(({ file }) => `await import('./${file}')\n`).join(''))
  })

  afterAll(() => {
    rmSync(folder, { recursive: true })
    rmSync(cwd, { recursive: true })
  })

  it.each(documents)('[repo-5] of %s are of a known kind', (document) => {
    const kinds = ['ts', 'bash', 'json', 'text']
    const unknown = codeBlocks(read(document)).filter(({ language }) => !kinds.includes(language))
    expect(unknown.map(({ language, line }) => `line ${line}: "${language}"`)).toEqual([])
  })

  it('[repo-5] compile', async () => {
    if (examples.length === 0) return
    const { output } = await runTool('tsc', ['--noEmit', '--project', join(folder, 'tsconfig.json')])
    expect(output).toBe('')
  })

  it.each(examples)('[repo-5] run: $where', async ({ file }) => {
    const fresh = mkdtempSync(join(cwd, 'run-'))
    const { code, output } = await run(process.execPath, [join(folder, file)], { cwd: fresh })
    expect(code, output).toBe(0)
  })

  it('[surface-6] in the comments of the main calls compile and run', async () => {
    expect(commented.length).toBeGreaterThanOrEqual(10)
    const { code, output } = await run(process.execPath, [join(folder, 'commented.ts')], { cwd })
    expect(code, output).toBe(0)
  })

  const json = documents.flatMap((document) =>
    codeBlocks(read(document)).flatMap(({ language, line, text }) =>
      language === 'json' ? [{ where: `${document}:${line}`, text }] : [],
    ),
  )
  it.each(json)('[repo-5] parse: $where', ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
  })

  const commands = documents.flatMap((document) =>
    codeBlocks(read(document)).flatMap(({ language, line, text }) =>
      language === 'bash'
        ? text.split('\n').map((command, index) => ({ where: `${document}:${line + index}`, command }))
        : [],
    ),
  )

  /** npm's own commands are checked by name, for they take minutes or a registry; all others are run. */
  it.each(commands)('[repo-5] $where: $command', async ({ command }) => {
    const [, script] = /^(?:\w+=\S+ )*npm (?:run )?(start|test|[\w:]+)(?: -- .+)?$/.exec(command) ?? []
    const [, installed] = /^npm install (\S+)$/.exec(command) ?? []
    if (installed !== undefined) return expect(installed).toBe(packageName)
    if (script !== undefined) return expect(Object.keys(scripts)).toContain(script)
    const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', command])
    return expect(code, output).toBe(0)
  })
})
