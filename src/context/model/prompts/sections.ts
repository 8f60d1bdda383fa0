import type { Section } from './prompt.ts'

/** Sections that several prompts ask for, so that one thing has one heading in all summaries. */
export const REQUESTS: Section = {
  key: 'requests',
  heading: 'Requests',
  means: 'what the user asked for, wanted otherwise or ruled out, as the user put it',
}
export const DECISIONS: Section = {
  key: 'decisions',
  heading: 'Decisions',
  means: 'what was settled, by whom, and the reason given',
}
export const FINDINGS: Section = {
  key: 'findings',
  heading: 'Findings',
  means: 'what turned out to be the case, stated as knowledge',
}
export const ERRORS: Section = {
  key: 'errors',
  heading: 'Errors',
  means: 'each error message to the letter, what caused it, and whether it still stands',
}
export const DEAD_ENDS: Section = {
  key: 'deadEnds',
  heading: 'Dead ends',
  means: 'what was tried in vain and why it did not work',
}
export const VALUES: Section = {
  key: 'values',
  heading: 'Values',
  means: 'ids, addresses, ports, codes, settings, amounts and dates that may be needed again, each with its name',
}
export const ARTIFACTS: Section = {
  key: 'artifacts',
  heading: 'Artifacts',
  means: 'files, records and other things that were made, changed or removed: where they are and what is in them now',
}
export const OPEN_ITEMS: Section = {
  key: 'openItems',
  heading: 'Open items',
  means: 'questions without an answer, promises, and work that was begun or announced and is not done',
}
export const STATUS: Section = {
  key: 'status',
  heading: 'Status',
  means: 'how far the work was when the record ends',
  oneOf: ['complete', 'partial', 'blocked'],
}
