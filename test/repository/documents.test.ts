import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { sidebar } from '../../scripts/docs/sidebar.ts'
import { ROOT, run, runTool } from '../../scripts/run.ts'
import { program } from '../../src/cli/program.ts'
import { codeBlocks, commentExamples, programs } from './code-blocks.ts'
import { brokenLinks } from './links.ts'
import { installHere } from './install-here.ts'
import { type PageResult, type PageStep, daybookWords, pageSteps } from './page-steps.ts'
import { shellForHelp, unknownWords } from './unknown-words.ts'

/** What tools put into `docs`: packages, the built site, and pages that are made from the source. */
const NOT_WRITTEN = ['node_modules', '.vitepress', 'reference']
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownOf('docs')]

function markdownOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !NOT_WRITTEN.includes(name))
    .flatMap((entry) => (entry.isDirectory() ? markdownOf(`${folder}/${entry.name}`) : `${folder}/${entry.name}`))
    .filter((name) => name.endsWith('.md'))
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** The text under a heading, up to the next heading of its level. */
function section(document: string, heading: string): string {
  const [, after = ''] = `\n${read(document)}`.split(`\n## ${heading}\n`)
  return after.split('\n## ')[0] ?? ''
}

const manifest = JSON.parse(read('package.json')) as {
  readonly name: string
  readonly scripts: Record<string, string>
  readonly peerDependencies: Record<string, string>
  readonly devDependencies: Record<string, string>
}
const { scripts } = manifest
/** What a page may tell people to install. */
const known = [manifest.name, ...Object.keys({ ...manifest.peerDependencies, ...manifest.devDependencies })]

describe('the documents', () => {
  it.each([
    ['README.md', ['Step by step', 'The five verbs', 'Two commands', 'Where data lives', 'Licence']],
    ['ARCHITECTURE.md', ['The life of a message', 'The tree', 'Invariants']],
    ['CONTRIBUTING.md', ['Set-up', 'Commands', 'Tests', 'Style']],
    ['CHANGELOG.md', ['Unreleased']],
  ])('[repo-4] %s has its sections', (document, headings) => {
    for (const heading of headings) expect(section(document, heading).trim(), `## ${heading}`).not.toBe('')
  })

  const adapters = readdirSync(join(ROOT, 'src/adapters')).filter((name) => !['entries', 'mem0'].includes(name))

  it.each(adapters)('[words-28] the adapter %s has a page with its lines, and an example', (adapter) => {
    const page = read(`docs/${adapter}.md`)
    expect(codeBlocks(page).some(({ text }) => text.includes(`'daybook/${adapter}'`))).toBe(true)
    expect(page).toContain(`examples/${adapter}`)
    expect(readdirSync(join(ROOT, 'examples')).map((name) => name.replace(/\.ts$/, ''))).toContain(adapter)
    expect(read('docs/hosts.md')).toContain(`(${adapter}.md)`)
  })

  it.each([
    ['contexts', 'What they cost'],
    ['recall', 'What works without an embedder, and what does not'],
    ['facts', 'Trust'],
    ['long-term-memory', 'longTermMemory'],
    ['models', 'An embedder'],
    ['dialects', 'repair'],
    ['server', 'key'],
    ['mcp', 'Codex'],
    ['postgres', 'Production: two roles'],
    ['postgres', 'Poolers'],
    ['postgres', 'Replicas'],
    ['tenants', 'scope'],
    ['editing', 'fork'],
    ['serverless', 'waitUntil'],
    ['testing', ':memory:'],
    ['deletion', 'Prove it'],
    ['backup', 'upgrade'],
    ['scale', 'partitions'],
    ['security', 'key'],
    ['agent-loop', 'runTurn'],
    ['limits', 'Daybook'],
    ['compare', 'Mem0'],
    ['performance', 'npm run bench'],
  ])('[words-29] the guide %s is listed on the site and explains: %s', (page, topic) => {
    expect(sidebar.flatMap(([, pages]) => pages)).toContain(page)
    expect(read(`docs/${page}.md`).toLowerCase()).toContain(topic.toLowerCase())
  })

  it.each(['Forge', 'AgentScope', 'MARSYS', 'Hypr-Claw', 'Mem0', 'Mastra', 'LangGraph', 'MCP', 'JSON file'])(
    '[words-30] whoever comes from %s finds a table and a program that runs',
    (system) => {
      const [, heading = ''] = new RegExp(`^## (.*${system}.*)$`, 'm').exec(read('docs/coming-from.md')) ?? []
      const text = section('docs/coming-from.md', heading)
      expect(text).toMatch(/^\| you had .*\| you call/m)
      expect(text).toMatch(/^```(?:ts|bash)$/m)
    },
  )

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

describe('the links', () => {
  it.each(documents)('[words-2] of %s lead to a file and a heading that exist', (document) => {
    expect(brokenLinks(document, read)).toEqual([])
  })
})

describe('the code blocks', () => {
  /** Inside the repository, so that its packages are found; `daybook` is the source. */
  let folder: string
  let cwd: string
  let results: readonly PageResult[] = []

  const fileOf = (document: string, line: number): string =>
    `${document.replaceAll(/\W/g, '-').toLowerCase()}-${line}.ts`

  const examples = documents.flatMap((document) =>
    programs(codeBlocks(read(document))).map(({ line, text }) => ({ file: fileOf(document, line), text })),
  )

  const commented = [
    ...readdirSync(join(ROOT, 'src/api')).map((name) => `src/api/${name}`),
    'src/memory/open-memory.ts',
  ]
    .flatMap((source) => commentExamples(read(source)).map((example) => ({ source, ...example })))
    .map(({ source, line, text }) => ({ where: `${source}:${line}`, file: fileOf(source, line), text }))

  const pages = documents.map((document) => ({
    document,
    steps: pageSteps(document, codeBlocks(read(document)), (line) => fileOf(document, line)),
  }))

  beforeAll(async () => {
    mkdirSync(join(ROOT, 'scratch'), { recursive: true })
    folder = mkdtempSync(join(ROOT, 'scratch/documents-'))
    cwd = mkdtempSync(join(tmpdir(), 'daybook-documents-'))
    installHere(folder)
    for (const { file, text } of [...examples, ...commented]) writeFileSync(join(folder, file), `${text}\nexport {}\n`)
    const inFolder = (step: PageStep): PageStep =>
      step.kind === 'program' ? { ...step, words: step.words.map((file) => join(folder, file)) } : step
    const comments = commented.map(({ where, file }): PageStep => ({
      where,
      folder: 'comments',
      kind: 'program',
      words: [file],
    }))
    const steps = [...pages.flatMap((page) => page.steps), ...comments].map(inFolder)
    const [given, found] = [join(cwd, 'steps.json'), join(cwd, 'results.json')]
    writeFileSync(given, JSON.stringify({ cwd, steps }))
    const ran = await run(process.execPath, [join(import.meta.dirname, 'run-pages.ts'), given, found], { cwd })
    results = JSON.parse(readFileSync(found, 'utf8')) as readonly PageResult[]
    expect(results.length, ran.output).toBe(steps.length)
  }, 300_000)

  afterAll(() => {
    rmSync(folder, { recursive: true })
    rmSync(cwd, { recursive: true })
  })

  const problemsOf = (wanted: readonly string[]): readonly PageResult[] =>
    results.filter(({ where, problem }) => wanted.includes(where) && problem !== '')

  it.each(documents)('[repo-5] of %s are of a known kind', (document) => {
    const kinds = ['ts', 'bash', 'json', 'text', 'mermaid']
    const unknown = codeBlocks(read(document)).filter(({ language }) => !kinds.includes(language))
    expect(unknown.map(({ language, line }) => `line ${line}: "${language}"`)).toEqual([])
  })

  it('[repo-5] compile', async () => {
    const { output } = await runTool('tsc', ['--noEmit', '--project', join(folder, 'tsconfig.json')])
    expect(output).toBe('')
  }, 300_000)

  it.each(pages)('[repo-5] [words-1] of $document run, programs and commands', ({ steps }) => {
    expect(problemsOf(steps.map(({ where }) => where))).toEqual([])
  })

  it('[surface-6] in the comments of the main calls compile and run', () => {
    expect(commented.length).toBeGreaterThanOrEqual(10)
    expect(problemsOf(commented.map(({ where }) => where))).toEqual([])
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
  const root = program(shellForHelp, '0.0.0-test')

  /** npm's own commands are checked by name, because they need minutes or a registry; the words of ours are checked here too. */
  it.each(commands.filter(({ command }) => command.trim() !== ''))('[repo-5] $where: $command', async ({ command }) => {
    const words = daybookWords(command)
    if (words !== undefined) return expect(unknownWords(root, words)).toEqual([])
    const [, script] = /^(?:\w+=\S+ )*npm (?:run )?(start|test|[\w:]+)(?: -- .+)?$/.exec(command) ?? []
    const [, installed] = /^npm install (.+)$/.exec(command) ?? []
    if (installed !== undefined) return expect(installed.split(' ').filter((name) => !known.includes(name))).toEqual([])
    if (script !== undefined) return expect(Object.keys(scripts)).toContain(script)
    // Another command of npm could change this repository.
    expect(command).not.toMatch(/\bnpm\b/)
    const { code, output } = await run('bash', ['-euo', 'pipefail', '-c', command])
    return expect(code, output).toBe(0)
  })
})
