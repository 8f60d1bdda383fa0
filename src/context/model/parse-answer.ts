import { isPlainObject } from '../../domain/check-json.ts'
import { dataLine } from '../summary/marker.ts'
import { findJSON } from '../../model/find-json.ts'
import type { Prompt, Section } from './prompts/prompt.ts'

/** A section of an answer. Each item is one line and can pass neither for a heading nor for a marker of ours. */
export interface SummarySection {
  readonly section: Section
  readonly items: readonly string[]
}

export type Parsed =
  | { readonly ok: true; readonly told: readonly SummarySection[] }
  | { readonly ok: false; readonly reason: 'unparsable' | 'wrong-shape' | 'empty' }

/** What models write where there is nothing to write. */
const NOTHING = /^(?:none|nothing|n\/?a|null|not applicable|-*|\.*)\.?$/i

/** Reads an answer by the fields that were asked for. Other fields are not looked at; a missing one says nothing. */
export function parseAnswer(text: string, { sections }: Prompt): Parsed {
  const value = findJSON(text)
  if (value === undefined) return { ok: false, reason: 'unparsable' }
  if (!isPlainObject(value) || !sections.some(({ key }) => Object.hasOwn(value, key)))
    return { ok: false, reason: 'wrong-shape' }
  const told: SummarySection[] = []
  for (const section of sections) {
    const items = readItems(Object.hasOwn(value, section.key) ? value[section.key] : null, section)
    if (items === undefined) return { ok: false, reason: 'wrong-shape' }
    if (items.length > 0) told.push({ section, items })
  }
  // How far the work was is no summary of it.
  if (told.every(({ section }) => section.oneOf !== undefined)) return { ok: false, reason: 'empty' }
  return { ok: true, told }
}

/** The same sections always give the same text. */
export function renderAnswer(told: readonly SummarySection[]): string {
  return told
    .map(({ section: { heading, oneOf }, items }) =>
      oneOf === undefined
        ? [`${heading}:`, ...items.map((item) => `- ${item}`)].join('\n')
        : `${heading}: ${items.join()}`,
    )
    .join('\n')
}

function readItems(value: unknown, { oneOf }: Section): readonly string[] | undefined {
  if (value === null || value === undefined) return []
  if (oneOf !== undefined) return typeof value === 'string' && oneOf.includes(value) ? [value] : undefined
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined
  const items = value.map((item) => dataLine(item).replace(/^[-*•] /, '')).filter((item) => !NOTHING.test(item))
  return [...new Set(items)]
}
