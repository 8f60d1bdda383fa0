import { homedir } from 'node:os'
import type { Shell } from './shell.ts'

/** The home folder of the user. */
export function homeOf(env: Shell['env']): string {
  return env['HOME'] ?? env['USERPROFILE'] ?? homedir()
}
