// Checks the words of the documentation, of the help, of what operations are described with, of errors and other texts in the source,
// and of the comments that editors show or that examples have.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'

import { program } from '../src/cli/program.ts'
import type { Surroundings } from '../src/cli/shell.ts'
import { surface } from '../src/surface/index.ts'
import { requestFields } from '../src/surface/request-fields.ts'
import { ROOT } from './run.ts'
import { wrongWords } from './wrong-words.ts'

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

function pages(): readonly string[] {
  const docs = ['docs', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])),
  )
  return ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...docs]
}

/** Files of the source that have texts for people, without the word lists of languages and patterns. */
function sources(): readonly string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/recall\/languages|learn\/patterns|prompts|migrations/.test(name),
  )
}

/** The programs in `examples/`, of which people read the comments. */
function examples(): readonly string[] {
  return readdirSync(join(ROOT, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|mjs)$/.test(name) && !/node_modules|\.next/.test(name))
    .map((name) => `examples/${name}`)
}

/** The lines of a file, each with only its texts: what is quoted. */
function quoted(source: string): string {
  return source
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\/?\*)/.test(line) ? '' : (line.match(/(['"`])(?:\\.|(?!\1).)*\1/g) ?? []).join(' ')))
    .map((texts) => texts.replaceAll('`', ''))
    .join('\n')
}

/** The comments of a file, on their lines. */
function comments(source: string): string {
  return source
    .split('\n')
    .map((line) => (/^\s*(?:\/\/|\/?\*)/.test(line) ? line : ''))
    .join('\n')
}

/** The help of every command and option, a line each. */
function help(): string {
  const sink = (): Surroundings['stdout'] => Object.assign(new PassThrough(), { isTTY: false, columns: 80 })
  const stdin = Object.assign(new PassThrough(), { isTTY: false }) as unknown as Surroundings['stdin']
  const root = program({ stdin, stdout: sink(), stderr: sink(), env: {}, argv: [], end: () => undefined }, '0')
  return root.commands
    .flatMap((command) => [command.description(), ...command.options.map(({ description }) => description)])
    .join('\n')
}

const described = surface.flatMap((operation) => [
  operation.help,
  ...Object.values(requestFields(operation)).map((field) => field.help),
])
const texts: readonly (readonly [where: string, text: string])[] = [
  ...pages().map((file) => [file, read(file)] as const),
  ...sources().map((name) => [`src/${name}`, quoted(read(`src/${name}`))] as const),
  ...sources()
    .filter((name) => name.startsWith('api/'))
    .map((name) => [`src/${name}`, comments(read(`src/${name}`))] as const),
  ...examples().map((file) => [file, comments(read(file))] as const),
  ['help of the command line', help()],
  ['descriptions of operations', described.join('\n')],
]

const found = texts.flatMap(([where, text]) =>
  wrongWords(text).map(({ line, words, better }) => `${where}:${line}: "${words}": ${better}`),
)
for (const line of found) console.error(line)
process.exitCode = found.length === 0 ? 0 : 1
