import { factThread, postFacts } from './post-facts.ts'
import { postSessions } from './post-sessions.ts'
import type { Index } from './poster.ts'
import type { FactReader, FactToPost } from './sources.ts'

const SESSIONS_PER_ROUND = 100
const FACTS_PER_CHANGE = 128

export interface PostWiring extends Index {
  readonly facts?: FactReader
}

/** Brings the index of a scope up to date: its sessions, and its facts if there are any. */
export async function postWords(parts: PostWiring, scope: string): Promise<void> {
  for (;;) {
    const sessions = await parts.recall.behind(scope, SESSIONS_PER_ROUND)
    await postSessions(
      parts,
      scope,
      sessions.map(({ session }) => session),
    )
    if (sessions.length < SESSIONS_PER_ROUND) break
  }
  if (parts.facts === undefined) return
  for (;;) {
    const [posted] = await parts.recall.threads([scope], [await factThread(parts.recall, scope)])
    const after = posted?.version ?? 0
    const { through, facts, gone } = await parts.facts.changes(scope, after)
    if (through <= after) return
    await postInParts(parts, scope, facts, { after, through, gone })
  }
}

/** Posts a few facts at a time, so that no writer waits long. The cursor moves with the last part: after a crash, all are posted again. */
async function postInParts(
  parts: PostWiring,
  scope: string,
  facts: readonly FactToPost[],
  { after, through, gone }: { readonly after: number; readonly through: number; readonly gone: readonly string[] },
): Promise<void> {
  for (let at = 0; at + FACTS_PER_CHANGE < facts.length; at += FACTS_PER_CHANGE) {
    const some = facts.slice(at, at + FACTS_PER_CHANGE)
    if (!(await postFacts(parts, scope, some, { after, through: after }))) return
    await parts.pause()
  }
  const last = facts.slice(Math.floor(Math.max(0, facts.length - 1) / FACTS_PER_CHANGE) * FACTS_PER_CHANGE)
  await postFacts(parts, scope, last, { after, through, gone })
}
