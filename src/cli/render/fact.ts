import type { Fact } from '../../domain/fact.ts'
import type { Look } from '../look.ts'
import { terminalLine } from '../visible.ts'
import { counted, time } from './layout.ts'

/** 3 to 0, from the operator to tools and the web. */
export const trustWords: readonly string[] = ['not trusted', 'agent', 'user', 'operator']

/** A fact with what a person wants to know of it: is it true, since when, who said so. */
export function renderFact(fact: Fact, look: Look): string {
  const valid =
    fact.validFrom === null && fact.validTo === null
      ? []
      : [
          `${fact.validFrom === null ? '' : `from ${time(fact.validFrom)} `}${fact.validTo === null ? '' : `until ${time(fact.validTo)}`}`.trim(),
        ]
  const notes = [
    ...(fact.state === 'current' ? [] : [fact.state]),
    ...valid,
    `trust: ${trustWords[fact.trust] ?? fact.trust}`,
    counted(fact.sourceCount, 'source'),
    ...fact.tags.map((tag) => `#${terminalLine(tag)}`),
    ...(fact.reason === undefined ? [] : [`because ${terminalLine(fact.reason)}`]),
    terminalLine(fact.id),
  ]
  const text = terminalLine(fact.text)
  return `${fact.state === 'current' ? text : look.paint('dim', text)}\n  ${look.paint('dim', notes.join(' · '))}`
}
