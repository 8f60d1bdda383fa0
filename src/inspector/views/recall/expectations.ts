import { type Signal, signal } from '@preact/signals'
import type { RecallOptions } from '../../../api/recall.ts'
import { saveFile } from '../../parts/save-file.ts'

/** A question, and what recall should find for it, as `daybook bench recall` reads it. */
export interface Expected {
  readonly scope: string
  readonly query: string
  readonly options: RecallOptions
  readonly expect: readonly string[]
}

/** What was marked since the page was loaded. */
export const expectations: Signal<readonly Expected[]> = signal([])

/** Marks a hit as expected for a question, or takes the mark away. */
export function toggleExpected(question: Omit<Expected, 'expect'>, id: string): void {
  const isSame = ({ scope, query }: Expected): boolean => scope === question.scope && query === question.query
  const before = expectations.value.find(isSame)?.expect ?? []
  const expect = before.includes(id) ? before.filter((one) => one !== id) : [...before, id]
  const others = expectations.value.filter((one) => !isSame(one))
  expectations.value = expect.length === 0 ? others : [...others, { ...question, expect }]
}

/** Downloads them as a file. */
export function saveExpectations(): void {
  const lines = expectations.value.map((one) => `${JSON.stringify(one)}\n`)
  saveFile(new Blob(lines, { type: 'application/x-ndjson' }), 'expectations.jsonl')
}
