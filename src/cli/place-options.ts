import { redactAddresses } from '../domain/redact-addresses.ts'
import type { CommonOptions } from './command.ts'
import { shellWord } from './shell-word.ts'
import type { Shell } from './shell.ts'
import { memoryHere } from './with-memory.ts'

/**
 * The options with which a printed command finds the same memory and scope. What the environment or the folder names is left
 * out, and passwords are not shown.
 */
export function placeOptions({ env }: Shell, { memory, scope }: Pick<CommonOptions, 'memory' | 'scope'>): string {
  const isKnown = memory === undefined || memory === env['DAYBOOK_MEMORY'] || memory === memoryHere()
  return [
    isKnown ? '' : ` --memory ${shellWord(redactAddresses(memory))}`,
    scope === undefined || scope === env['DAYBOOK_SCOPE'] ? '' : ` --scope ${shellWord(scope)}`,
  ].join('')
}
