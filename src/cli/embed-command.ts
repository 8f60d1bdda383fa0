import { redactAddresses } from '../domain/redact-addresses.ts'
import type { CommonOptions } from './command.ts'
import { placeOptions } from './place-options.ts'
import { shellWord } from './shell-word.ts'
import type { Shell } from './shell.ts'

/** The command that embeds what was stored without an embedder. A server does it by itself. */
export function embedCommand(shell: Shell, options: CommonOptions): string | undefined {
  const { embedder } = options
  if (embedder === undefined) return undefined
  const isKnown = embedder === shell.env['DAYBOOK_EMBEDDER']
  const given = isKnown ? '' : ` --embedder ${shellWord(redactAddresses(embedder))}`
  return `daybook jobs settle${placeOptions(shell, options)}${given}`
}
