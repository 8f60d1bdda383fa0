import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'

import type { Folder } from './folder.ts'

/** A disk of a few megabytes that can be filled for real. */
export class TinyDisk {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** Where mounting is not allowed: the reason. */
  static mount(folder: Folder, megabytes: number): TinyDisk | string {
    const path = folder.file('tiny')
    mkdirSync(path)
    try {
      execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'pipe' })
      return new TinyDisk(path)
    } catch (error) {
      rmSync(path, { recursive: true })
      return `cannot mount a tmpfs: ${String(error).split('\n')[0]}`
    }
  }

  /** Makes it read-only, or writable again. */
  remount(option: 'ro' | 'rw'): void {
    execFileSync('/bin/mount', ['-o', `remount,${option}`, this.path], { stdio: 'pipe' })
  }

  [Symbol.dispose](): void {
    execFileSync('/bin/umount', ['-l', this.path], { stdio: 'pipe' })
  }
}
