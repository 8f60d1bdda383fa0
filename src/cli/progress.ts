import type { Shell } from './shell.ts'

/** Shows on a terminal that something takes its time; anywhere else it is silent. */
export async function withProgress<Result>(
  shell: Shell,
  message: string,
  work: (say: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  if (shell.stderr.isTTY !== true || (shell.env['CI'] ?? '') !== '') return work(() => undefined)
  const { spinner } = await import('@clack/prompts')
  const turning = spinner({ output: shell.stderr as NodeJS.WriteStream, withGuide: false })
  turning.start(message)
  try {
    return await work((said) => turning.message(said))
  } finally {
    turning.clear()
  }
}
