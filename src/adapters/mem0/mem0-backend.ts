import { defined } from '../../domain/defined.ts'
import { MemoryError } from '../../domain/error.ts'
import type { Message } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { refuse } from '../../domain/refuse.ts'
import type { LongTermScope, LongTermSession, ToolFact } from '../../tools/long-term-scope.ts'
import { textOf } from '../../domain/text-of.ts'

/** The part of Mem0's `MemoryClient` that is used here. */
export interface Mem0Client {
  add(
    messages: { readonly role: 'user' | 'assistant'; readonly content: string }[],
    options: { readonly userId: string; readonly infer?: boolean },
  ): Promise<unknown>
  search(
    query: string,
    options: { readonly filters: { readonly user_id: string }; readonly topK: number },
  ): Promise<{ readonly results: readonly Mem0Result[] }>
  delete(id: string): Promise<unknown>
}

interface Mem0Result {
  readonly id: string
  readonly memory?: string
  readonly createdAt?: Date | string
}

/** Whose memories they are in Mem0, and where conversations are kept. */
export interface Mem0BackendOptions {
  /** The `user_id` in Mem0. */
  readonly userId: string
  /** The scope that keeps the conversations: `memory.scope('acme/ada')`. Mem0 has only what it derives from them. */
  readonly scope: Pick<LongTermScope, 'session'>
}

const FOUND_DEFAULT = 10
const FOUND_MAX = 100
/** A model of Mem0 wrote it: trusted like an agent. */
const AGENT_TRUST = 1

/**
 * Mem0 as the back end of `longTermMemory`: it recalls from Mem0 and remembers there, and conversations stay in a scope of this
 * memory, so nothing is lost if Mem0 fails.
 */
export function mem0Backend(client: Mem0Client, { userId, scope }: Mem0BackendOptions): LongTermScope {
  if (typeof userId !== 'string' || userId === '') refuse('use Mem0', 'userId', userId, 'a text')
  checkScopeHandle('use Mem0', scope)
  return {
    recall: async (query, { limit = FOUND_DEFAULT }) => {
      const { results } = await client.search(query, {
        filters: { user_id: userId },
        topK: Math.min(limit, FOUND_MAX),
      })
      return { items: results.map(itemOf) }
    },
    remember: async (facts) => {
      const stored: ToolFact[] = []
      for (const { text } of facts) stored.push({ id: await addOne(client, userId, text), text })
      return stored
    },
    // Mem0 has no way to take a memory back but to delete it.
    retract: async (id) => {
      await client.delete(id)
      return {}
    },
    forget: async (what) => {
      if ('fact' in what) return client.delete(what.fact)
      return refuse('forget', 'subject', what.subject, 'the id of a memory: Mem0 cannot forget a subject')
    },
    session: (id) => recording(scope.session(id), client, userId),
  }
}

function itemOf({
  id,
  memory = '',
  createdAt,
}: Mem0Result): Awaited<ReturnType<LongTermScope['recall']>>['items'][number] {
  const at = new Date(createdAt ?? 0).toISOString()
  return { kind: 'fact', text: memory, at, trust: AGENT_TRUST, source: { id } }
}

/** Mem0 has answered "ADD" for writes that failed: only an id says that there is a memory. */
async function addOne(client: Mem0Client, userId: string, text: string): Promise<string> {
  const answer = await client.add([{ role: 'user', content: text }], { userId, infer: false })
  const id = idIn(answer)
  if (id === undefined)
    throw new MemoryError('server/failed', 'Cannot store the memory: Mem0 returned no id for it', { userId })
  return id
}

function idIn(answer: unknown): string | undefined {
  const results: unknown = Array.isArray(answer) ? answer : (answer as { results?: unknown } | null)?.results
  const [first] = Array.isArray(results) ? (results as readonly { id?: unknown }[]) : []
  return typeof first?.id === 'string' && first.id !== '' ? first.id : undefined
}

/** Stores messages here first, then gives Mem0 what was said. If Mem0 fails, the error says so and the messages are stored. */
function recording(session: LongTermSession, client: Mem0Client, userId: string): LongTermSession {
  const append = async (
    messages: readonly NewMessage[],
    options?: { readonly operationId?: string },
  ): Promise<readonly Message[]> => {
    const stored = await session.append(messages, options)
    const said = messages.flatMap((message) => {
      const { role } = message
      const content = textOf(message)
      return (role === 'user' || role === 'assistant') && content !== '' ? [{ role, content }] : []
    })
    if (said.length > 0) await client.add(said, { userId })
    return stored
  }
  const { state } = session
  return {
    append,
    ...defined({ state }),
    recent: (n) => session.recent(n),
    history: (options) => session.history(options),
    search: (text, options) => session.search(text, options),
    reopen: (fold, options) => session.reopen(fold, options),
  }
}
