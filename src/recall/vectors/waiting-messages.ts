import type { Store } from '../../ports/store.ts'
import type { VectorSource } from '../sources.ts'
import { readVectorKey } from './message-source.ts'
import { setOfModel } from './set-of-model.ts'

const WAITING_MAX = 1_000

/** Indexed messages of these scopes that the model has not embedded yet. */
export async function waitingMessages(
  { recall, vectors }: Pick<Store<'searchable'>, 'recall' | 'vectors'>,
  scopes: readonly string[],
  model: string,
): ReturnType<VectorSource['waiting']> {
  const each = scopes.map(async (scope) => {
    const { current } = await setOfModel(vectors, scope, model)
    return recall.posted(scope, { after: current?.through ?? 0, limit: WAITING_MAX })
  })
  const keys = (await Promise.all(each)).flat().map(({ key }) => key)
  return [...new Set(keys)].map(readVectorKey)
}
