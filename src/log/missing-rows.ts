import type { Damage, MemoryHead, StatedRows } from '../api/upkeep.ts'
import { ownerOf } from '../domain/block-place.ts'
import { forgottenStateNames } from '../domain/forgotten-state-name.ts'
import { pairKey } from '../domain/pair-key.ts'
import { isRecordPlace } from '../domain/record-place.ts'
import { scopeChain } from '../domain/scope-path.ts'
import type { IntegrityStore, StatedRow } from '../ports/integrity-store.ts'
import { forgottenName } from './forgotten.ts'
import { groupOf, rowHashesIn } from './stated-rows.ts'

/** Rows of these never go, whatever is forgotten. */
const LASTING: ReadonlySet<string> = new Set([
  'knowledge_versions',
  'facts_forgotten',
  'forgotten_names',
  'forgotten_sessions',
  'access_keys',
  'calibrations',
  'retention',
])

/** Compares stored rows with those of a statement: each must be there, unless something was forgotten where it was. */
export class MissingRows {
  readonly #statement: MemoryHead
  readonly #missing: ReadonlyMap<string, { readonly of: StatedRows; readonly hashes: Set<string> }>
  /** What was forgotten since the statement was made: names by scope. */
  readonly #forgotten = new Map<string, Set<string>>()
  readonly #sessionScopes: ReadonlyMap<string, string>
  readonly #versions: ReadonlyMap<string, number>

  constructor(statement: MemoryHead) {
    this.#statement = statement
    this.#missing = new Map(statement.rows.map((of) => [groupOf(of), { of, hashes: new Set(rowHashesIn(of)) }]))
    this.#sessionScopes = new Map(statement.sessions.map(({ key, scope }) => [String(key), scope]))
    this.#versions = new Map(statement.state.map(({ scope, session, version }) => [pairKey(scope, session), version]))
  }

  /** Takes rows that are stored. */
  readonly found = (rows: readonly StatedRow[]): void => {
    for (const row of rows) {
      const stated = this.#missing.get(groupOf(row))?.hashes
      const [hash = ''] = row.hashes
      const isNew = stated?.has(hash) !== true
      for (const one of row.hashes) stated?.delete(one)
      if (isNew && ['forgotten_names', 'facts_forgotten'].includes(row.table)) {
        const names = this.#forgotten.get(row.scope) ?? new Set()
        this.#forgotten.set(row.scope, names.add(row.name))
      }
    }
  }

  /** Whether a state was forgotten since the statement was made: by itself, or with its session. */
  isStateForgotten(scope: string, place: string): boolean {
    const names = [...(this.#forgotten.get(scope) ?? [])]
    return [place, ownerOf(place)].some((session) => {
      const [from, to] = forgottenStateNames(forgottenName({ scope, session, kind: 'state', id: '' }))
      return names.some((name) => name >= from && name < to)
    })
  }

  /** Once all rows were read: what is missing, and how many rows may have gone with what was forgotten. */
  async end(
    store: Pick<IntegrityStore, 'stateVersion' | 'forgottenSession'>,
  ): Promise<{ readonly rows: number; readonly gone: number; readonly damage: readonly Damage[] }> {
    const damage: Damage[] = []
    let gone = 0
    for (const { of, hashes } of this.#missing.values()) {
      if (hashes.size === 0) continue
      if (await this.#mayBeGone(store, of)) gone += hashes.size
      else damage.push(damageOf(of, hashes.size))
    }
    const rows = this.#statement.rows.reduce((sum, of) => sum + rowHashesIn(of).length, 0)
    return { rows, gone, damage }
  }

  async #mayBeGone(
    store: Pick<IntegrityStore, 'stateVersion' | 'forgottenSession'>,
    { table, scope, session }: StatedRows,
  ): Promise<boolean> {
    if (LASTING.has(table)) return false
    if (table === 'state_entries') {
      if (this.isStateForgotten(scope, session)) return true
      // A record that is written again leaves no history.
      const stated = this.#versions.get(pairKey(scope, session)) ?? 0
      return isRecordPlace(session) && ((await store.stateVersion({ scope, session })) ?? 0) > stated
    }
    if (table === 'operations' || table === 'learn_cursors') {
      if ((await store.forgottenSession(Number(session))) !== undefined) return true
      return table === 'operations' && this.#isForgottenIn(this.#sessionScopes.get(session) ?? scope)
    }
    return this.#isForgottenIn(scope)
  }

  /** What is forgotten in a scope takes with it what was learned from it there and below. */
  #isForgottenIn(scope: string): boolean {
    return scopeChain(scope).some((above) => this.#forgotten.has(above))
  }
}

function damageOf({ table, scope, session }: StatedRows, count: number): Damage {
  const rows = count === 1 ? '1 row' : `${count} rows`
  const place = table === 'operations' || table === 'learn_cursors' ? '' : session
  const message = `${rows} of table ${table} that the statement has ${count === 1 ? 'is' : 'are'} missing, or an older row was put back`
  return { scope, session: place, seq: null, what: 'head', data: 'primary', message, remedy: 'restore' }
}
