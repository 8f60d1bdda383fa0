import type * as adapter from '../../../src/adapters/ai-sdk/index.ts'
import type { Scope } from '../../../src/api/scope.ts'

export function compareAiSdk(
  used: Pick<typeof adapter, 'loadChat' | 'middleware' | 'saveChat'>,
  scope: Scope,
  runs: number,
): Promise<{ readonly sequences: number; readonly calls: number }>
