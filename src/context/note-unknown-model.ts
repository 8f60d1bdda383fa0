import { modelWindow } from '../tokens/model-window.ts'
import { tokenizerForModel } from '../tokens/tokenizer-for-model.ts'
import { ContextMemory } from './context-memory.ts'
import type { ContextWiring } from './wiring.ts'

const NAMES_MAX = 1_000
const ASSUMED = 'Its tokens are estimated, and images cost as much as with the costliest model'

/** Emits an event for a model that is in no table, once for each name. */
export function noteUnknownModel(parts: Pick<ContextWiring, 'contexts' | 'emit'>, model: string | undefined): void {
  if (model === undefined) return
  const { unknownModels } = ContextMemory.of(parts)
  if (unknownModels.has(model) || unknownModels.size >= NAMES_MAX) return
  const { encoding, image } = tokenizerForModel(model)
  if (encoding !== undefined || image !== undefined || modelWindow(model) !== undefined) return
  unknownModels.add(model)
  parts.emit({ type: 'unknown-model', model, assumed: ASSUMED })
}
