import type { ContextOptions } from '../api/contexts.ts'
import { effectiveBlocks } from '../blocks/effective-blocks.ts'
import { renderBlock } from '../blocks/render-block.ts'
import type { Address } from '../log/log.ts'
import type { AssembledBlock } from './assembly/context.ts'
import type { ContextWiring } from './wiring.ts'

/** The blocks of a context, in a stable order. */
export async function blocksFor(
  { store }: ContextWiring,
  address: Address,
  { blocks = true }: Pick<ContextOptions, 'blocks'>,
): Promise<readonly AssembledBlock[]> {
  if (!blocks) return []
  const found = await effectiveBlocks(store, address)
  return found.map((block) => ({
    draft: renderBlock(block),
    line: {
      name: block.name,
      scope: block.scope,
      ...(block.owner === '' ? {} : { session: block.owner }),
      version: block.version,
      shown: true,
    },
  }))
}

/** The same blocks, the last one that was shown not shown any more. */
export function withoutLastBlock(blocks: readonly AssembledBlock[]): readonly AssembledBlock[] {
  const last = blocks.findLast(({ line }) => line.shown)
  return blocks.map((block) => (block === last ? { ...block, line: { ...block.line, shown: false } } : block))
}
