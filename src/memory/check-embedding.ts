import { checkOptions } from '../domain/check-options.ts'
import { checkCount } from './check-arguments.ts'
import type { EmbeddingOptions } from './embedding.ts'

/** Accepts the option `embedding` of `openMemory`. */
export function checkEmbedding(options: EmbeddingOptions): void {
  checkOptions('open a memory: embedding', options, ['batch', 'deadlineMs', 'callsPerHourMax', 'tokensPerHourMax'])
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) checkCount('open a memory', `embedding.${name}`, value)
}
