import { Turns } from './turns.ts'

/** The same items. While they are made, others run in between. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  const turns = new Turns()
  for (const item of items) {
    yield item
    if (turns.isOver) await turns.take()
  }
}
