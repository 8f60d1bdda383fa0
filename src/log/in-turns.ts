import { Turns } from './turns.ts'

/** The items that are not `undefined`. While they are made, others run in between. */
export async function* inTurns<Item>(items: Iterable<Item | undefined>): AsyncGenerator<Item> {
  const turns = new Turns()
  for (const item of items) {
    if (item !== undefined) yield item
    if (turns.isOver) await turns.take()
  }
}
