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
    const read = readByte(byte)
    if (read === undefined) continue
    if (read === 0) process.exit(0)
    if (byte[0] === 10) return line
    line += byte.toString('latin1')
  }
}

/** A pipe that another module made non-blocking has nothing to read now and then. */
function readByte(byte: Buffer): number | undefined {
  try {
    return readSync(0, byte, 0, 1, null)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    return undefined
  }
}
