import type { RecallKind } from '../api/recall.ts'
import { factThread, postFacts } from './post-facts.ts'
import { postSessions } from './post-sessions.ts'
import type { Index } from './poster.ts'
import type { FactReader } from './sources.ts'

const SESSIONS_PER_ROUND = 100
const kinds: readonly RecallKind[] = ['message', 'fold', 'fact']

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
  if (parts.facts !== undefined) await postNewFacts(parts, parts.facts, scope)
  for (const kind of kinds) while (await parts.recall.tidy(scope, kind)) await parts.pause()
}

async function postNewFacts(parts: Index, source: FactReader, scope: string): Promise<void> {
  for (;;) {
    const [posted] = await parts.recall.threads([scope], [await factThread(parts.recall, scope)])
    const after = posted?.version ?? 0
    const { through, facts, gone } = await source.changes(scope, after)
    if (through <= after) return
    await postFacts(parts, scope, facts, { after, through, gone })
  }
}
