import { readFile } from 'node:fs/promises'
import { systemProblem } from '../domain/system-problem.ts'
import { CommandError } from './exit-status.ts'
import type { Shell } from './shell.ts'

/** A value from the command line; `-` reads from the pipe. */
export async function valueOrStdin(shell: Shell, value: string): Promise<string> {
  return value === '-' ? (await readStdin(shell)).replace(/\r?\n$/, '') : value
}

/** The text of a file, or of the pipe with `-`. */
export async function readInput(shell: Shell, file: string): Promise<string> {
  if (file === '-') return readStdin(shell)
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CommandError('notFound', `Cannot read ${JSON.stringify(file)}: ${systemProblem(error)}`)
  }
}

async function readStdin(shell: Shell): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of shell.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** One JSON document, or one on each line. */
export function parseDocuments(text: string): readonly unknown[] {
  try {
    const document: unknown = JSON.parse(text)
    return Array.isArray(document) ? document : [document]
  } catch {
    return text
      .split('\n')
      .map((line, index) => ({ line: line.trim(), number: index + 1 }))
      .filter(({ line }) => line !== '')
      .map(({ line, number }) => parseLine(line, number))
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CommandError('usage', `Cannot read line ${number}: ${why}, expected JSON, one document or one per line`)
  }
}
