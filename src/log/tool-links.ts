import { defined } from '../domain/defined.ts'
import type { Part } from '../domain/part.ts'
import type { Warning } from '../domain/warning.ts'
import type { ToolLink } from '../ports/log-store.ts'

/** The calls and results of a message that the application has to pair; the provider pairs those it ran itself. */
export function toolLinks(seq: number, parts: readonly Part[]): readonly ToolLink[] {
  return parts.flatMap((part): readonly ToolLink[] => {
    if ((part.type !== 'tool-call' && part.type !== 'tool-result') || part.providerExecuted === true) return []
    const callId = part.type === 'tool-call' ? part.id : part.callId
    return callId === undefined ? [] : [{ callId, seq, kind: part.type === 'tool-call' ? 'call' : 'result' }]
  })
}

/** The position of the first call and of the first result of each id. */
export function firstLinks(links: readonly ToolLink[]): FirstLinks {
  const first = { call: new Map<string, number>(), result: new Map<string, number>() }
  for (const { callId, kind, seq } of links) first[kind].set(callId, Math.min(seq, first[kind].get(callId) ?? seq))
  return first
}

type FirstLinks = Readonly<Record<ToolLink['kind'], ReadonlyMap<string, number>>>

/** What is odd about a message's calls and results, given all of the session: those before it count. */
export function pairingWarnings(
  message: { readonly id: string; readonly seq: number; readonly parts: readonly Part[] },
  first: FirstLinks,
): readonly Warning[] {
  const { id, seq, parts } = message
  const warnings: Warning[] = []
  const warn = (type: Warning['type'], text: string, callId?: string): void => {
    warnings.push({ type, id, seq, ...defined({ callId }), message: `Message ${seq}: ${text}` })
  }
  const own = { call: new Set<string>(), result: new Set<string>() }
  const known = (callId: string, kind: ToolLink['kind']): boolean =>
    own[kind].has(callId) || (first[kind].get(callId) ?? seq) < seq
  for (const part of parts) {
    if (part.type === 'tool-result' && part.callId === undefined && part.providerExecuted !== true) {
      warn('missing-call-id', 'a tool result does not name its call')
    }
    for (const { callId, kind } of toolLinks(seq, [part])) {
      const name = JSON.stringify(callId)
      if (kind === 'result' && !known(callId, 'call'))
        warn('orphan-result', `the tool result for ${name} does not belong to an earlier call`, callId)
      if (kind === 'result' && known(callId, 'result'))
        warn('duplicate-result', `the call ${name} already has a result`, callId)
      if (kind === 'call' && known(callId, 'call'))
        warn('duplicate-call', `the call id ${name} is already in use`, callId)
      own[kind].add(callId)
    }
  }
  return warnings
}
