import type { Damage } from '../api/upkeep.ts'
import type { AccessKeyRow, AuditRow } from '../ports/access-store.ts'

/** Compares keys with what the audit trail says was done to them. */
export class KeyCheck {
  readonly #made = new Set<string>()
  readonly #revoked = new Set<string>()

  /** Takes an entry of the audit trail. */
  readonly entry = ({ action, status, ids }: AuditRow): void => {
    if (status >= 400 || (action !== 'keys.create' && action !== 'keys.revoke')) return
    for (const id of idsIn(ids)) (action === 'keys.create' ? this.#made : this.#revoked).add(id)
  }

  /** What is wrong with these keys. */
  damage(keys: readonly AccessKeyRow[]): readonly Damage[] {
    const stored = new Map(keys.map((key) => [key.id, key]))
    const missing = [...new Set([...this.#made, ...this.#revoked])].filter((id) => !stored.has(id))
    const back = [...this.#revoked].filter((id) => stored.get(id)?.revokedAt === null)
    return [
      ...missing.map((id) => damageOf(`Key ${JSON.stringify(id)} is in the audit trail, but its row is missing`)),
      ...back.map((id) => damageOf(`Key ${JSON.stringify(id)} was revoked, but its row says that it was not`)),
    ]
  }
}

function idsIn(text: string): readonly string[] {
  try {
    return JSON.parse(text) as readonly string[]
  } catch {
    return [] // an entry that no longer parses was reported by its hash
  }
}

function damageOf(message: string): Damage {
  return { scope: '', session: '', seq: null, what: 'row', data: 'primary', message, remedy: 'restore' }
}
