import { changesOf, openView } from '../log/view.ts'
import { postNew } from './post-new.ts'
import { postSession } from './post-session.ts'
import { type Index, Poster } from './poster.ts'
import { inSteps } from './posting-steps.ts'

/** What is asked about them travels together; and where it cannot, each takes a connection. */
const SESSIONS_AT_ONCE = 4

/**
 * Brings the index of sessions up to their newest versions. Those that have only grown, as most have, share their steps: a
 * transaction for each would take longer than what is in it. The others follow, one by one.
 */
export async function postSessions(index: Index, scope: string, sessions: readonly string[]): Promise<void> {
  const grown: Poster[] = []
  const changed = new Set<string>()
  await inSteps(index, scope, async (steps) => {
    for (let at = 0; at < sessions.length; at += SESSIONS_AT_ONCE) {
      const some = sessions.slice(at, at + SESSIONS_AT_ONCE)
      const posters = await Promise.all(some.map((session) => posterOf(index, scope, session)))
      for (const [nth, poster] of posters.entries()) {
        if (poster === undefined) changed.add(some[nth] ?? '')
        else {
          grown.push(poster)
          await postNew(steps, poster)
          await steps.move(poster, poster.newest)
        }
      }
    }
  })
  for (const { isOvertaken, view } of grown) if (isOvertaken) changed.add(view.session.name)
  for (const session of sessions) if (changed.has(session)) await postSession(index, { scope, session })
}

/** Of a session that has nothing but new messages; `undefined` for others. */
async function posterOf(index: Index, scope: string, session: string): Promise<Poster | undefined> {
  const view = await openView(index.log, { scope, session })
  const own = view?.segments.at(-1)
  if (view === undefined || own === undefined) return undefined
  const poster = new Poster(index, view)
  const before = (await poster.start())?.version ?? 0
  // What a fork shares with its parent is looked at once.
  if (before >= view.version || (before === 0 && view.session.parent !== null)) return undefined
  for await (const _ of changesOf(index.log, own, view.version, before)) return undefined
  return poster
}
