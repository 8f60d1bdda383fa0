import type { Emit } from '../api/events.ts'
import type { Redactor } from '../api/redactor.ts'
import type { ContextWiring } from '../context/wiring.ts'
import type { ForgettingWiring } from '../forgetting/wiring.ts'
import type { Runner } from '../jobs/runner.ts'
import type { Posting } from '../recall/posting.ts'
import type { RecallWiring } from '../recall/recall.ts'
import type { Store } from '../ports/store.ts'
import type { OpenWork } from './work.ts'

/** What an open memory is made of; every handle holds it. Forgetting goes everywhere, so its parts are most of them. */
export interface Wiring extends ForgettingWiring, ContextWiring {
  readonly work: OpenWork
  /** Background work. */
  readonly runner: Runner
  /** Adds what is appended to the search index. */
  readonly posting: Posting
  readonly store: Store<'opened'>
  /** One for forgetting, which empties it, and for contexts, which fill it. */
  readonly contexts: ContextWiring['contexts']
  readonly emit: Emit
  readonly redactor: Redactor
  /** Loads what recall needs when it is first asked. */
  readonly recall: () => Promise<RecallWiring>
}
