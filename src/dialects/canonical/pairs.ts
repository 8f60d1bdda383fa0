import type { TranscriptPath } from '../violation.ts'

/** A transcript as far as pairing of calls and results is concerned. */
export type PairingStep =
  | { readonly type: 'call'; readonly id: string; readonly path: TranscriptPath }
  | { readonly type: 'result'; readonly id: string | undefined; readonly path: TranscriptPath }
  /** Assistant content: closes the calls before it once results have begun to arrive. */
  | { readonly type: 'assistant'; readonly path: TranscriptPath }
  /** Anybody else: closes all calls. */
  | { readonly type: 'other'; readonly path: TranscriptPath }

export type PairProblem =
  | { readonly type: 'duplicate-call' | 'dangling'; readonly id: string; readonly path: TranscriptPath }
  | {
      readonly type: 'duplicate-result' | 'orphan' | 'late'
      readonly id: string | undefined
      readonly path: TranscriptPath
    }

/** Follows calls and their results through a transcript. One pass, one map entry for each call. */
export function findPairProblems(steps: readonly PairingStep[]): readonly PairProblem[] {
  const problems: PairProblem[] = []
  const pending = new Map<string, TranscriptPath>()
  const closed = new Map<string, TranscriptPath>()
  const answered = new Set<string>()
  const seen = new Set<string>()
  let answering = false

  function close(): void {
    for (const [id, path] of pending) closed.set(id, path)
    pending.clear()
    answering = false
  }

  for (const step of steps) {
    if (step.type === 'other' || (step.type !== 'result' && answering)) close()
    if (step.type === 'call') {
      if (seen.has(step.id)) problems.push({ type: 'duplicate-call', id: step.id, path: step.path })
      seen.add(step.id)
      pending.set(step.id, step.path)
    }
    if (step.type !== 'result') continue
    const { id, path } = step
    if (id !== undefined && pending.delete(id)) {
      answering = true
      answered.add(id)
    } else if (id !== undefined && closed.delete(id)) {
      answered.add(id)
      problems.push({ type: 'late', id, path })
    } else {
      problems.push({ type: id !== undefined && answered.has(id) ? 'duplicate-result' : 'orphan', id, path })
    }
  }
  close()
  for (const [id, path] of closed) problems.push({ type: 'dangling', id, path })
  return problems
}
