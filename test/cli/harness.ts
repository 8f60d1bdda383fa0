import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll } from 'vitest'
import { run } from '../../src/cli/run.ts'
import type { Surroundings } from '../../src/cli/shell.ts'

export const MAIN: string = join(import.meta.dirname, '../../src/cli/main.ts')

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder that is gone after the tests of this file. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'daybook-cli-'))
  afterAll(() => rmSync(made, { recursive: true, force: true }))
  return made
}

/** Runs a command line here, as if in a pipe: the same as a process of its own, without its start. */
export async function daybook(words: readonly string[], input = ''): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr'): Surroundings['stdout'] => {
    const sink = new PassThrough()
    sink.on('data', (chunk: Buffer) => (written[name] += chunk.toString()))
    return Object.assign(sink, { isTTY: false, columns: 80 })
  }
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY: false }) as unknown as Surroundings['stdin']
  const around = { stdin, stdout: stream('stdout'), stderr: stream('stderr'), env: {} }
  const status = await run(around, words, '0.0.0-test')
  return { status, ...written }
}

export interface ProcessOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** What the developer has set must not decide what is tested. */
export function cleanEnv(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^DAYBOOK_|_API_KEY$|^(NO_COLOR|FORCE_COLOR|CI|NODE_OPTIONS|VITEST)/.test(name),
  )
  return { ...(Object.fromEntries(kept) as Record<string, string>), TERM: 'xterm-256color', ...extra }
}

/** Runs a program to its end. */
export function runProcess(command: string, words: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  const child = spawn(command, words, { cwd: options.cwd, env: cleanEnv(options.env), stdio: 'pipe' })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()))
  child.stdin.on('error', () => undefined) // it may have ended before it read everything
  child.stdin.end(options.input ?? '')
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, ...written }))
  })
}

/** The command line in a process of its own. */
export function daybookProcess(words: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  return runProcess(process.execPath, [MAIN, ...words], options)
}

/** The same on a terminal, a real one of the kernel's, by util-linux's `script`. Both streams arrive in `stdout`. */
export function daybookOnTerminal(words: readonly string[], options: ProcessOptions = {}): Promise<Ended> {
  const line = [process.execPath, MAIN, ...words].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  return runProcess('script', ['-qec', line, '/dev/null'], options)
}
