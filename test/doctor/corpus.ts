import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JSONValue } from '../../src/domain/json.ts'

const FOLDER = join(import.meta.dirname, '../fixtures/doctor')

/** A broken file, after an incident that happened to somebody, with what is to be found and what the repair gives. */
export interface Case {
  readonly incident: string
  readonly kind: string
  readonly dialect?: string
  /** JSON, or the text of a file that is none. */
  readonly input: JSONValue
  readonly findings: readonly { readonly rule: string; readonly topic: string; readonly fix: string | null }[]
  /** As the input; `null` where nothing is to be repaired. */
  readonly repaired: JSONValue
  readonly left: readonly string[]
}

export const corpus: readonly (readonly [name: string, broken: Case])[] = readdirSync(FOLDER)
  .toSorted()
  .map((file) => [file.replace('.json', ''), JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Case])

/** Made here, so that nobody who scans this repository for secrets is alarmed by a file of it. */
export const secrets: Readonly<Record<string, string>> = {
  '%github%': `ghp_${'aB3dE6gH9'.repeat(4)}`,
  '%anthropic%': `sk-ant-${'api03-Zx9_'.repeat(4)}`,
  '%password%': 'tr0ub4dor-and-3',
}

function withSecrets(text: string): string {
  return Object.entries(secrets).reduce((made, [name, secret]) => made.replaceAll(name, secret), text)
}

export function textOf(input: JSONValue): string {
  return withSecrets(typeof input === 'string' ? input : JSON.stringify(input))
}
