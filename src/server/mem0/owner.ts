import { refuse } from '../../domain/refuse.ts'

/** The kinds of owners that Mem0 has. A memory with several belongs to the first of them. */
export const ownerKinds = ['user', 'agent', 'app', 'run'] as const

export type OwnerKind = (typeof ownerKinds)[number]

/** Who a memory is about, by Mem0's names: `user_id` and so on. */
export type Owner = Readonly<Partial<Record<`${OwnerKind}_id`, string>>>

/** The session of memories that name no run. */
const SESSION_DEFAULT = 'mem0'

/** Reads the owner from a body or a query. */
export function ownerFrom(fields: Readonly<Record<string, unknown>>): Owner {
  const owner: Record<string, string> = {}
  for (const kind of ownerKinds) {
    const value = fields[`${kind}_id`]
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' || value === '') refuse('use a memory', `${kind}_id`, value, 'a text')
    owner[`${kind}_id`] = value
  }
  return owner
}

/** The scope that keeps what belongs to an owner: `<base>/user/ada`. @throws {MemoryError} `input/invalid` for nobody. */
export function scopeOf(base: string, owner: Owner): string {
  const kind = ownerKinds.find((one) => owner[`${one}_id`] !== undefined)
  if (kind === undefined)
    return refuse('use a memory', 'user_id', undefined, 'one of user_id, agent_id, app_id, run_id')
  return scopeFor(base, kind, owner[`${kind}_id`] ?? '')
}

/** A name may have anything in it, so it is escaped: it must stay one segment of the path. */
export function scopeFor(base: string, kind: OwnerKind, name: string): string {
  return `${base}/${kind}/${encodeURIComponent(name).replaceAll('.', '%2E')}`
}

/** The owner that a scope is for; nothing if it is none of these. */
export function ownerOfScope(
  base: string,
  scope: string,
): { readonly kind: OwnerKind; readonly name: string } | undefined {
  const [kind, name, ...deeper] = scope.startsWith(`${base}/`) ? scope.slice(base.length + 1).split('/') : []
  const known = ownerKinds.find((one) => one === kind)
  if (known === undefined || name === undefined || deeper.length > 0) return undefined
  try {
    return { kind: known, name: decodeURIComponent(name) }
  } catch {
    return undefined
  }
}

export function sessionFor({ run_id: run = SESSION_DEFAULT }: Owner): string {
  return run
}
