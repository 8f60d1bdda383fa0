import type { Shell } from './shell.ts'

interface Asking {
  readonly output: NodeJS.WriteStream
  readonly signal: AbortSignal
}

interface Key {
  readonly ctrl?: boolean
  readonly name?: string
}

/** Asks on a terminal. Ctrl-D cancels, as Ctrl-C does: otherwise the prompt would wait for an input that has ended. */
export async function asked<Answer>({ stdin, stderr }: Shell, ask: (how: Asking) => Promise<Answer>): Promise<Answer> {
  const cancelled = new AbortController()
  const listen = (_: unknown, key?: Key): void => {
    if (key?.ctrl === true && key.name === 'd') cancelled.abort()
  }
  const end = (): void => cancelled.abort()
  stdin.on('keypress', listen)
  stdin.once('end', end)
  try {
    return await ask({ output: stderr as NodeJS.WriteStream, signal: cancelled.signal })
  } finally {
    stdin.off('keypress', listen)
    stdin.off('end', end)
  }
}
