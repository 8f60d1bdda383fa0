import { MemoryError } from '../../domain/error.ts'
import type { Draft } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { parseMessage } from '../../domain/parse-message.ts'
import type { Conversation, Skipped, Turn } from './found.ts'
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
 */
export function sessionsOf(conversation: Conversation, format: string, messageBytesMax: number): SessionPlan {
  const skipped: Skipped[] = []
  const { children, lost } = treeOf(conversation.turns)
  for (const { place } of lost) skipped.push({ place, reason: 'cycle', message: 'a message that leads back to itself' })
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
      for (const [index, draft] of turn.drafts.entries()) {
        const message = withOrigin(draft, idOfDraft(turn, index), format, conversation)
        const fault = faultOf(message, messageBytesMax)
        if (fault !== undefined) skipped.push({ place: turn.place, ...fault })
        else if (used.has(message.id))
          skipped.push({ place: turn.place, reason: 'duplicate-id', message: 'a second message of that id' })
        else {
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
        ...(from === undefined ? {} : { from }),
        ...(conversation.title === undefined ? {} : { title: conversation.title }),
      })
  }
  return { sessions: withKnownParents(sessions), skipped }
}

/** A trunk of which nothing came in is no session that a branch could leave: the branch is then one of its own. */
function withKnownParents(sessions: readonly PlannedSession[]): readonly PlannedSession[] {
  const ids = new Set(sessions.map(({ id }) => id))
  return sessions.map(({ from, ...session }) =>
    from === undefined || !ids.has(from.session) ? session : { ...session, from },
  )
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

/** Where it came from stands beside the message, for people who look at it. Trust does not depend on it. */
function withOrigin(
  { role, parts, name, tags, at, provider, metadata }: Draft,
  id: string,
  format: string,
  { id: conversation, title }: Conversation,
): NewMessage & { readonly id: string } {
  return {
    id,
    role,
    parts,
    ...(name === undefined ? {} : { name }),
    ...(tags === undefined ? {} : { tags }),
    ...(at === undefined ? {} : { at }),
    ...(provider === undefined ? {} : { provider }),
    metadata: { ...metadata, origin: { format, conversation, ...(title === undefined ? {} : { title }) } },
  }
}

/** Why a message cannot come in, by the rules of the log's own door: the report of a dry run is that of the import. */
function faultOf(message: NewMessage, bytesMax: number): Pick<Skipped, 'reason' | 'message'> | undefined {
  if (message.parts?.length === 0) return { reason: 'no-content', message: 'a message that says nothing' }
  try {
    parseMessage('import', 'message', message)
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    return { reason: /content is/.test(error.message) ? 'no-content' : 'wrong-type', message: error.message }
  }
  const bytes = Buffer.byteLength(JSON.stringify(message))
  return bytes > bytesMax
    ? { reason: 'too-large', message: `a message of ${bytes} bytes, expected at most ${bytesMax}` }
    : undefined
}
