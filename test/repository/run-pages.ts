// Runs the programs and commands of all documents in one process: `node run-pages.ts steps.json results.json`.
// Each program has a folder of its own; the commands of a page run in the folder of the program before them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

import { runCommandLine } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/shell.ts'
import type { PageResult, PageStep } from './page-steps.ts'

const [, , stepsFile = '', resultsFile = ''] = process.argv
const { cwd, steps } = JSON.parse(readFileSync(stepsFile, 'utf8')) as { cwd: string; steps: readonly PageStep[] }
const before = { ...process.env }
const results: PageResult[] = []
let failure: unknown
process.on('unhandledRejection', (error) => (failure ??= error))

for (const { where, folder, kind, words } of steps) {
  failure = undefined
  const place = join(cwd, folder)
  mkdirSync(place, { recursive: true })
  process.chdir(place)
  const problem = await (kind === 'program' ? runProgram(words[0] ?? '') : runCommand(words)).catch(described)
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  results.push({ where, problem: problem === '' && failure !== undefined ? described(failure) : problem })
  writeFileSync(resultsFile, JSON.stringify(results))
}
// A page may leave a memory open, as a reader may.
process.exit(0)

async function runProgram(file: string): Promise<string> {
  await import(pathToFileURL(file).href)
  return ''
}

async function runCommand(words: readonly string[]): Promise<string> {
  let written = ''
  const stream = (): Surroundings['stdout'] => {
    const sink = new PassThrough()
    sink.on('data', (chunk: Buffer) => (written += chunk.toString()))
    return Object.assign(sink, { isTTY: false, columns: 80 })
  }
  const stdin = Object.assign(Readable.from([]), { isTTY: false }) as unknown as Surroundings['stdin']
  const status = await runCommandLine(
    { stdin, stdout: stream(), stderr: stream(), env: {}, argv: [] },
    words,
    '0.0.0-test',
  )
  return status === 0 ? '' : `exit status ${status}: ${written}`
}

function described(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
