import { defined } from '../../domain/defined.ts'
import type { Skipped } from '../../api/imports.ts'
import type { Draft } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { type Arriving, fitMessage } from './fit-message.ts'
import type { ImportedConversation, Turn } from './imported-item.ts'
import { digest, idOf } from './values.ts'

/** A session to be made of a conversation, or of a branch of one. */
export interface PlannedSession {
  readonly id: string
  readonly title?: string
  /** For a branch: which session it leaves, and after which of its messages; null before all. */
  readonly from?: { readonly session: string; readonly after: string | null }
  readonly messages: readonly (NewMessage & { readonly id: string })[]
}

export interface SessionPlan {
  readonly sessions: readonly PlannedSession[]
  readonly skipped: readonly Skipped[]
}

interface Branch {
  readonly id: string
  readonly first: Turn
  readonly from?: PlannedSession['from']
}

/**
 * The sessions of a conversation: one for its trunk, and one for each branch, which leaves where the branch does. The earliest of
 * brothers goes on, whichever is shown now: so a conversation that has grown new branches since still has its old sessions.
 * Yields wherever others may run in between.
 */
export function* sessionsOf(
  conversation: ImportedConversation,
  format: string,
  messageBytesMax: number,
): Generator<void, SessionPlan> {
  const skipped: Skipped[] = []
  const { children, lost } = treeOf(conversation.turns)
  for (const { place } of lost) skipped.push({ place, reason: 'cycle', message: 'a message that is its own ancestor' })
  const used = new Set<string>()
  const sessions: PlannedSession[] = []
  const id = idOf(conversation.id)
  const roots = children.get(null) ?? []
  const open: Branch[] = roots.map((first, index): Branch =>
    index === 0 ? { id, first } : { id: branchId(id, first), first, from: { session: id, after: null } },
  )
  // Trunks before their branches, since a branch can only leave what is there.
  for (let at = 0; at < open.length; at++) {
    const branch = open[at] as Branch
    const messages: (NewMessage & { readonly id: string })[] = []
    let after = branch.from?.after ?? null
    for (let turn: Turn | undefined = branch.first; turn !== undefined;) {
      yield
      for (const [index, draft] of turn.drafts.entries()) {
        const given = withOrigin(draft, idOfDraft(turn, index), format, conversation)
        if (used.has(given.id)) {
          skipped.push({ place: turn.place, reason: 'duplicate-id', message: 'a second message with this id' })
          continue
        }
        const { message, faults } = fitMessage(given, messageBytesMax)
        for (const fault of faults) skipped.push({ place: turn.place, ...fault })
        if (message !== undefined) {
          used.add(message.id)
          messages.push(message)
          after = message.id
        }
      }
      const [next, ...others]: readonly Turn[] = children.get(turn.key) ?? []
      for (const first of others) open.push({ id: branchId(id, first), first, from: { session: branch.id, after } })
      turn = next
    }
    const { from } = branch
    if (messages.length > 0)
      sessions.push({
        id: branch.id,
        messages,
        ...defined({ from, title: conversation.title }),
      })
  }
  return { sessions: withKnownParents(sessions, open), skipped }
}

/**
 * A session of which nothing came in is none that a branch could leave. The branch leaves what that one left, after the same
 * message; where there is nothing before it, it is one of its own.
 */
function withKnownParents(sessions: readonly PlannedSession[], branches: readonly Branch[]): readonly PlannedSession[] {
  const ids = new Set(sessions.map(({ id }) => id))
  const origins = new Map(branches.map(({ id, from }) => [id, from?.session]))
  return sessions.map(({ from, ...session }) => {
    let parent = from?.session
    while (parent !== undefined && !ids.has(parent)) parent = origins.get(parent)
    return from === undefined || parent === undefined ? session : { ...session, from: { ...from, session: parent } }
  })
}

interface Tree {
  readonly children: ReadonlyMap<string | null, readonly Turn[]>
  /** Turns that no beginning leads to. */
  readonly lost: readonly Turn[]
}

function treeOf(turns: readonly Turn[]): Tree {
  const keys = new Set(turns.map(({ key }) => key))
  const children = Map.groupBy(turns, ({ parent }) => (parent !== null && keys.has(parent) ? parent : null))
  const reached = new Set<Turn>()
  const open = [...(children.get(null) ?? [])]
  for (let turn = open.pop(); turn !== undefined; turn = open.pop()) {
    reached.add(turn)
    for (const child of children.get(turn.key) ?? []) open.push(child)
  }
  return { children, lost: turns.filter((turn) => !reached.has(turn)) }
}

function branchId(session: string, { key }: Turn): string {
  const plain = `${session}~${key}`
  return idOf(plain) === plain ? plain : `${session.slice(0, 400)}~${digest(plain)}`
}

function idOfDraft({ key, drafts }: Turn, index: number): string {
  return idOf(drafts.length === 1 || index === 0 ? key : `${key}.${index}`)
}

/** Where it came from is beside the message, for people who look at it. Trust does not depend on it. */
function withOrigin(
  { role, parts, name, tags, at, provider, metadata }: Draft,
  id: string,
  format: string,
  { id: conversation, title }: ImportedConversation,
): Arriving {
  return {
    id,
    role,
    parts,
    ...defined({ name, tags, at, provider }),
    metadata: { ...metadata, origin: { format, conversation, ...defined({ title }) } },
  }
}
