import { readSync, writeSync } from 'node:fs'

/** In a child: says that everything is loaded, waits for the parent's word, and answers with the task it sent. */
export function waitForGo(): unknown {
  writeSync(1, 'ready\n')
  const task: unknown = JSON.parse(readLine())
  // Ends by itself, so that Node writes its compile cache.
  if (task === 'warm') process.exit(0)
  return task
}

/** Synchronous, so that what was said before a SIGKILL was said. */
export function tell(line: unknown): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}

function readLine(): string {
  const byte = Buffer.alloc(1)
  let line = ''
  for (;;) {
    if (readSync(0, byte, 0, 1, null) === 0) process.exit(0)
    if (byte[0] === 10) return line
    line += byte.toString('latin1')
  }
}
