import type { FactSource } from '../domain/fact.ts'

/** The body of a source row: what is shown of it, and when it said that the fact is true, if it did. */
interface StoredSource extends Record<string, unknown> {
  readonly told?: string
}

/** Equal for equal times; empty for none. With it a source that says two things of one fact is not taken for saying one twice. */
export function toldTime({ validFrom, validTo }: Readonly<Record<'validFrom' | 'validTo', number | null>>): string {
  return validFrom === null && validTo === null ? '' : `${validFrom ?? ''}/${validTo ?? ''}`
}

export function withStatedTime(body: string, told: string): string {
  return told === '' ? body : JSON.stringify({ ...(JSON.parse(body) as StoredSource), told })
}

export function timeIn(body: string): string {
  return (JSON.parse(body) as StoredSource).told ?? ''
}

/** The rest, as it is handed out. */
export function sourceIn(body: string): FactSource {
  const { told: _, ...source } = JSON.parse(body) as FactSource & StoredSource
  return source as FactSource
}
