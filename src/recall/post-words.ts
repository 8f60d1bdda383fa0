import type { RecallKind } from '../api/recall.ts'
import { factThread, postFacts } from './post-facts.ts'
import { postSessions } from './post-sessions.ts'
import type { Index } from './poster.ts'
import type { FactReader } from './sources.ts'

const SESSIONS_PER_ROUND = 100

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
  await tidy(parts, scope, ['message', 'fold'])
  if (parts.facts === undefined) return
  for (;;) {
    const [posted] = await parts.recall.threads([scope], [await factThread(parts.recall, scope)])
    const after = posted?.version ?? 0
    const { through, facts, gone } = await parts.facts.changes(scope, after)
    if (through <= after) break
    await postFacts(parts, scope, facts, { after, through, gone })
  }
  await tidy(parts, scope, ['fact'])
}

async function tidy({ recall, pause }: Index, scope: string, kinds: readonly RecallKind[]): Promise<void> {
  for (const kind of kinds) while (await recall.tidy(scope, kind)) await pause()
}
