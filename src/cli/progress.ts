import type { Shell } from './shell.ts'

/** Shows on a terminal that something takes its time; anywhere else it is silent. */
export async function withProgress<Result>(
  shell: Shell,
  message: string,
  work: (say: (message: string) => void) => Promise<Result>,
): Promise<Result> {
  if (!isWatched(shell)) return work(() => undefined)
  const { spinner } = await import('@clack/prompts')
  const turning = spinner({ output: shell.stderr as NodeJS.WriteStream, withGuide: false })
  turning.start(message)
  try {
    return await work((said) => turning.message(said))
  } finally {
    turning.clear()
  }
}

/** A line that is drawn over again needs a terminal that knows its width, and somebody before it. */
function isWatched({ stderr, env }: Shell): boolean {
  return stderr.isTTY === true && stderr.columns > 0 && (env['CI'] ?? '') === '' && env['TERM'] !== 'dumb'
}
