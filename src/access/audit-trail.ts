import { type AuditedAction, chainActions } from './audit.ts'
import type { AccessStore } from '../ports/access-store.ts'

/** Entries wait this long, so that many share one transaction: a killed server loses that much of the trail, and nothing of the log. */
const FLUSH_MS = 50

/** Writes down what was done. */
export class AuditTrail {
  readonly #store: AccessStore
  readonly #onFailure: (error: unknown) => void
  #actions: AuditedAction[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(store: AccessStore, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
  }

  add(action: AuditedAction): void {
    this.#actions.push(action)
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS)
  }

  /** Resolves when everything so far is stored, or could not be. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const actions = this.#actions
    this.#actions = []
    if (actions.length > 0)
      this.#writing = this.#writing
        .then(() => this.#store.addAudit((last) => chainActions(last, actions)))
        .catch(this.#onFailure)
    await this.#writing
  }
}
