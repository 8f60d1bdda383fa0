import type { LongTermItem } from './long-term-item.ts'
import { renderLongTermMemory } from './render-long-term-memory.ts'

export interface FittedBlock<Item> {
  readonly items: readonly Item[]
  /** Empty if none fits. */
  readonly text: string
}

/**
 * As many items as fit, best first, in one block. What counts is the block as it is sent: ids, dates and sources can cost more
 * than the words.
 */
export async function fitBlock<Item>(
  items: readonly Item[],
  show: (item: Item) => LongTermItem,
  {
    fits,
    nonceFor,
  }: {
    readonly fits: (text: string) => Promise<boolean> | boolean
    readonly nonceFor?: (items: readonly LongTermItem[]) => string
  },
): Promise<FittedBlock<Item>> {
  let best: FittedBlock<Item> = { items: [], text: '' }
  for (const item of items) {
    const tried = [...best.items, item]
    const shown = tried.map(show)
    const text = renderLongTermMemory(shown, nonceFor === undefined ? {} : { nonce: nonceFor(shown) })
    if (await fits(text)) best = { items: tried, text }
  }
  return best
}
