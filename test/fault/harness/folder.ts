import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that goes when its block ends. */
export class Folder {
  readonly path: string

  constructor(parent: string = tmpdir(), name: string = 'fault') {
    this.path = mkdtempSync(join(parent, `${name}-`))
  }

  file(name: string): string {
    return join(this.path, name)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A folder in memory where the system has one: for thousands of images that nobody needs on a disk. */
export function memoryFolder(): Folder {
  return new Folder(existsSync('/dev/shm') ? '/dev/shm' : tmpdir())
}
