import { defined } from '../../domain/defined.ts'
import type { Draft } from '../../domain/message.ts'
import type { Part } from '../../domain/part.ts'
import type { Writing } from '../codec.ts'
import { freshId } from './assign.ts'

export interface IdentifierRules {
  /** The rule on call ids, and what an id must look like. */
  readonly idRule: string
  readonly id: RegExp
  readonly idMax: number
  /** The rule on tool names, where there is one. */
  readonly nameRule?: string
  readonly name?: RegExp
}

const NAME_MAX = 64

/** Makes call ids and tool names fit a target, pairwise: a result follows its call. */
export function fitIdentifiers(drafts: readonly Draft[], rules: IdentifierRules, writing: Writing): readonly Draft[] {
  const used = new Set<string>()
  const counts = new Map<string, number>()
  const ids = new Map<string, string>()
  for (const draft of drafts) for (const part of draft.parts) if (part.type === 'tool-call') used.add(part.id)

  function fitId(id: string, part: Part): string {
    if (rules.id.test(id) && id.length <= rules.idMax) return id
    const known = ids.get(id)
    if (known !== undefined) return known
    const base = id.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, rules.idMax - 8) || 'call'
    const next = used.has(base) ? freshId(base, used, counts) : base
    used.add(next)
    ids.set(id, next)
    writing.note(rules.idRule, 'renamed', part, `Renamed the call "${id}" to "${next}"`)
    return next
  }

  function fitName(name: string, part: Part): string {
    if (rules.name === undefined || rules.name.test(name)) return name
    const next = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, NAME_MAX) || 'tool'
    writing.note(rules.nameRule ?? rules.idRule, 'renamed', part, `Renamed the tool "${name}" to "${next}"`)
    return next
  }

  function fitPart(part: Part): Part {
    if (part.type === 'tool-call') {
      const id = fitId(part.id, part)
      const name = fitName(part.name, part)
      return id === part.id && name === part.name ? part : { ...part, id, name }
    }
    if (part.type !== 'tool-result' || part.callId === undefined) return part
    const callId = fitId(part.callId, part)
    const name = part.name === undefined ? undefined : fitName(part.name, part)
    if (callId === part.callId && name === part.name) return part
    return { ...part, callId, ...defined({ name }) }
  }

  return drafts.map((draft) => {
    const parts = draft.parts.map(fitPart)
    return parts.every((part, index) => part === draft.parts[index]) ? draft : { ...draft, parts }
  })
}
