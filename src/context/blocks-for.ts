import type { ContextOptions } from '../api/contexts.ts'
import { effectiveBlocks } from '../blocks/effective-blocks.ts'
import { renderBlock } from '../blocks/render-block.ts'
import type { Address } from '../log/log.ts'
import type { AssembledBlock } from './assembly/context.ts'
import type { Scale } from './assembly/scale.ts'
import type { ContextWiring } from './wiring.ts'

/** The blocks of a context, in a stable order. */
export async function blocksFor(
  parts: ContextWiring,
  address: Address,
  { blocks = true }: Pick<ContextOptions, 'blocks'>,
  time?: number,
): Promise<readonly AssembledBlock[]> {
  if (blocks === false) return []
  const found = await effectiveBlocks(parts, address, blocks === 'frozen' ? await beginningOf(parts, address) : time)
  return found.map((block) => ({
    draft: renderBlock(block),
    line: {
      name: block.name,
      scope: block.scope,
      ...(block.owner === '' ? {} : { session: block.owner }),
      version: block.version,
      shown: true,
      tokens: 0,
    },
  }))
}

/** When the session began; `undefined` if nothing was said yet. */
async function beginningOf({ store }: ContextWiring, { scope, session }: Address): Promise<number | undefined> {
  return (await store.log.session(scope, session))?.createdAt
}

/** The same blocks with what they cost. */
export async function weighBlocks(blocks: readonly AssembledBlock[], scale: Scale): Promise<readonly AssembledBlock[]> {
  const weighed: AssembledBlock[] = []
  for (const { draft, line } of blocks) weighed.push({ draft, line: { ...line, tokens: await scale.weigh(draft) } })
  return weighed
}

/** The same blocks, the last one that was shown left out. */
export function withoutLastBlock(blocks: readonly AssembledBlock[]): readonly AssembledBlock[] {
  const last = blocks.findLast(({ line }) => line.shown)
  return blocks.map((block) => (block === last ? { ...block, line: { ...block.line, shown: false } } : block))
}
