import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The repository. */
export const ROOT: string = join(import.meta.dirname, '..')

export interface Outcome {
  readonly code: number
  readonly stdout: string
  /** stdout and stderr as they came. */
  readonly output: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Show the output while it comes, instead of keeping it. */
  readonly show?: boolean
}

/** Runs a command to its end. A command that cannot start has the exit code 127, as in a shell. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const { cwd = ROOT, env = process.env, show = false } = options
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const child = spawn(command, args, { cwd, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
    output += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  child.on('error', (error) => resolve({ code: 127, stdout, output: `Cannot run ${command}: ${error.message}` }))
  child.on('close', (code) => resolve({ code: code ?? 1, stdout, output }))
  return promise
}

/** Runs a development tool or a script of this repository with the Node in use. */
export async function runTool(tool: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Outcome> {
  return run(process.execPath, [join(ROOT, 'scripts/bootstrap.cjs'), tool, ...args], options)
}
