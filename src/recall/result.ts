import type { RecallItem } from '../api/recall.ts'
import type { RecallKind } from '../api/recall.ts'

export function itemKind(kind: RecallKind): RecallItem['kind'] {
  return kind === 'messages' ? 'message' : kind === 'folds' ? 'fold' : 'fact'
}
