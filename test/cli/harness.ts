import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll } from 'vitest'
import { runCommandLine } from '../../src/cli/run.ts'
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

/** How a command line runs that npx fetched. */
const FETCHED = ['/usr/bin/node', '/home/me/.npm/_npx/0/node_modules/.bin/daybook']

/** Runs a command line here, as if in a pipe: the same as a process of its own, without its start. */
export async function daybook(
  words: readonly string[],
  input = '',
  env: Readonly<Record<string, string>> = {},
  argv: readonly string[] = FETCHED,
): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const stream = (name: 'stdout' | 'stderr'): Surroundings['stdout'] => {
    const sink = new PassThrough()
    sink.on('data', (chunk: Buffer) => (written[name] += chunk.toString()))
    return Object.assign(sink, { isTTY: false, columns: 80 })
  }
  const stdin = Object.assign(Readable.from([Buffer.from(input)]), { isTTY: false }) as unknown as Surroundings['stdin']
  const around = { stdin, stdout: stream('stdout'), stderr: stream('stderr'), env, argv }
  const status = await runCommandLine(around, words, '0.0.0-test')
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

/** util-linux's `script` makes a terminal; that of other systems takes other words. */
export const hasTerminal: boolean = process.platform === 'linux' && existsSync('/usr/bin/script')

/** A command line on a terminal, a real one of the kernel's. */
export interface Terminal {
  /** Everything on the screen so far, with what colours it. */
  readonly screen: () => string
  readonly type: (keys: string) => void
  /** Waits until the screen shows it, after what was typed last; fails with the screen if the program ends before. */
  readonly shows: (wanted: RegExp) => Promise<void>
  readonly ended: Promise<number | null>
}

export function daybookOnTerminal(words: readonly string[], options: ProcessOptions = {}): Terminal {
  const line = [process.execPath, MAIN, ...words].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const child = spawn('script', ['-qefc', `stty cols 120 rows 40; exec ${line}`, '/dev/null'], {
    cwd: options.cwd,
    env: cleanEnv(options.env),
  })
  let screen = ''
  let over = false
  let typed = 0
  const looks = new Set<() => void>()
  const look = (): void => {
    for (const one of looks) one()
  }
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString()
    look()
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => {
      over = true
      look()
      resolve(status)
    })
  })
  const shows = (wanted: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = wanted.test(screen.slice(typed))
        if (!found && !over) return
        looks.delete(check)
        if (found) resolve()
        else reject(new Error(`Cannot find ${String(wanted)} on the screen:\n${screen}`))
      }
      looks.add(check)
      check()
    })
  const type = (keys: string): void => {
    typed = screen.length
    child.stdin.write(keys)
  }
  return { screen: () => screen, type, shows, ended }
}
