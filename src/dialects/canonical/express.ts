import type { Draft, Role } from '../../domain/message.ts'
import type {
  DataPart,
  MediaPart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../domain/part.ts'
import type { Writing } from '../codec.ts'
import { toJSON } from './json.ts'
import { EMPTY_CONVERSATION, START_OF_CONVERSATION } from './marks.ts'
import { mediaPlaceholder } from './media.ts'
import { dropTrailingReasoning, withParts } from './repair.ts'

/** What a dialect has words for. The log keeps the rest. */
export interface Abilities {
  readonly reasoning: (part: ReasoningPart) => boolean
  /** Blocks of this dialect that go back as they came. */
  readonly data: (part: DataPart, role: Role) => boolean
  readonly executed: (part: ToolCallPart | ToolResultPart) => boolean
  readonly media: (part: MediaPart, role: Role) => boolean
  /** Whether texts of white space only are accepted. */
  readonly blankText: boolean
  /** Whether an empty text means something, because of a field beside it. */
  readonly emptyText?: (part: TextPart, role: Role) => boolean
  /** Whether a system message may stand after the beginning. */
  readonly laterSystem: (previous: Draft | undefined) => boolean
  /** Whether the first message that is not system must be the user's. `rule` is the one that says so. */
  readonly userFirst?: string
}

/** Narrows drafts to what a dialect can say, keeping calls with their results and the identity of what fits. */
export function express(drafts: readonly Draft[], abilities: Abilities, writing: Writing): readonly Draft[] {
  const said: Draft[] = []
  let started = writing.bare
  for (const draft of drafts) {
    const narrowed = narrow(draft, abilities)
    if (narrowed === undefined) continue
    const later = started && draft.role === 'system' && !abilities.laterSystem(said.at(-1))
    if (later) writing.note('C10', 'rewrote', draft, 'Rewrote a system message after the beginning as marked user text')
    said.push(later ? markedSystem(narrowed) : narrowed)
    started ||= draft.role !== 'system'
  }
  const whole = joinCallRuns(dropTrailingReasoning(said, writing.note), writing)
  return withStart(whole, abilities, writing)
}

function narrow(draft: Draft, abilities: Abilities): Draft | undefined {
  const parts = draft.parts.flatMap((part): readonly Part[] => sayPart(part, draft.role, abilities))
  if (parts.length === 0) return undefined
  return parts.length === draft.parts.length && parts.every((part, index) => part === draft.parts[index])
    ? draft
    : withParts(draft, parts)
}

function sayPart(part: Part, role: Role, abilities: Abilities): readonly Part[] {
  switch (part.type) {
    case 'text':
      if (part.text === '') return abilities.emptyText?.(part, role) === true ? [part] : []
      return abilities.blankText || part.text.trim() !== '' ? [part] : []
    case 'reasoning':
      return abilities.reasoning(part) ? [part] : []
    case 'image':
    case 'file':
    case 'audio':
      return [abilities.media(part, role) ? part : { type: 'text', text: mediaPlaceholder(part) }]
    case 'tool-call':
    case 'tool-result':
      return part.providerExecuted !== true || abilities.executed(part) ? [part] : []
    case 'agent-call':
      return [{ type: 'text', text: `[agent call: ${part.agent}] ${toJSON(part.request)}` }]
    case 'data':
      if (part.kind === 'structured') return role === 'tool' ? [] : [{ type: 'text', text: toJSON(part.data) }]
      return abilities.data(part, role) ? [part] : []
  }
}

/** Marked, so that nobody takes the system's words for the user's (C10). */
function markedSystem(draft: Draft): Draft {
  const { role: _, ...rest } = draft
  const parts = draft.parts.map((part): Part => {
    if (part.type !== 'text') return part
    return { ...part, text: `<system-message>\n${part.text}\n</system-message>` } satisfies TextPart
  })
  return { ...rest, role: 'user', parts }
}

/** Joins a run of assistant messages when one before its last has calls: their results come after the whole run. */
function joinCallRuns(drafts: readonly Draft[], writing: Writing): readonly Draft[] {
  const joined: Draft[] = []
  for (const draft of drafts) {
    const previous = joined.at(-1)
    if (draft.role === 'assistant' && previous?.role === 'assistant' && previous.parts.some(isClientCall)) {
      writing.note(
        'C3',
        'merged',
        draft,
        'Merged an assistant message with the one before it, whose calls were still open',
      )
      joined[joined.length - 1] = joinDrafts(previous, draft)
    } else joined.push(draft)
  }
  return joined
}

export function joinDrafts(first: Draft, second: Draft): Draft {
  return { ...second, ...first, parts: [...first.parts, ...second.parts] }
}

export function isClientCall(part: Part): part is ToolCallPart {
  return part.type === 'tool-call' && part.providerExecuted !== true
}

function withStart(drafts: readonly Draft[], abilities: Abilities, writing: Writing): readonly Draft[] {
  const first = drafts.findIndex((draft) => draft.role !== 'system')
  const head = drafts[first]
  if (head !== undefined && (abilities.userFirst === undefined || head.role === 'user' || startsWithCompaction(head)))
    return drafts
  if (head === undefined && drafts.length > 0 && abilities.userFirst === undefined) return drafts
  const text = head === undefined ? EMPTY_CONVERSATION : START_OF_CONVERSATION
  writing.note(
    head === undefined ? 'C1' : (abilities.userFirst ?? 'C7'),
    'synthesised',
    undefined,
    `Added a user message "${text}" at the start`,
  )
  const at = first === -1 ? drafts.length : first
  return [...drafts.slice(0, at), { role: 'user', parts: [{ type: 'text', text }] }, ...drafts.slice(at)]
}

function startsWithCompaction(draft: Draft): boolean {
  const part = draft.parts[0]
  return draft.role === 'assistant' && part?.type === 'data' && part.kind.endsWith(':compaction')
}
