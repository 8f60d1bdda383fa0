import { join } from 'node:path'
import { homeOf } from '../home-of.ts'
import type { Shell } from '../shell.ts'
import { FILE_DEFAULT } from '../with-memory.ts'

/** In the user's own folder: a host starts its servers in a folder of its own. */
export function memoryAtHome(env: Shell['env']): string {
  return join(homeOf(env), FILE_DEFAULT)
}
