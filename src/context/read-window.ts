import { loadWindow } from './window/window.ts'
import type { Fold } from '../domain/fold.ts'
import type { Message } from '../domain/message.ts'
import type { Moment } from '../domain/moment.ts'
import type { Address } from '../log/log.ts'
import { openView } from '../log/view.ts'
import type { ContextWiring } from './wiring.ts'

/** The folds and messages that are live. */
export async function readWindow(
  { store }: ContextWiring,
  address: Address,
  asOf: Moment | undefined,
): Promise<readonly (Message | Fold)[]> {
  const view = await openView(store.log, address, asOf)
  const entries = view === undefined ? [] : (await loadWindow(store.log, view)).entries
  return entries.map((entry) => (entry.type === 'fold' ? entry.fold : entry.message))
}
