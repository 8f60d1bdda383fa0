import type { Prompt } from './prompt.ts'
import { ARTIFACTS, DEAD_ENDS, DECISIONS, ERRORS, FINDINGS, OPEN_ITEMS, REQUESTS, STATUS, VALUES } from './sections.ts'

export const SUMMARISE_CURRENT: Prompt = {
  name: 'summarise-current',
  task: 'Below is work that an agent is in the middle of. Write the note from which it will go on, without having the record any more: what it is working towards, what is done, what it knows and what comes next.',
  sections: [
    REQUESTS,
    { key: 'done', heading: 'Done', means: 'steps that are finished, in their order, with their results' },
    DECISIONS,
    FINDINGS,
    ERRORS,
    DEAD_ENDS,
    VALUES,
    ARTIFACTS,
    OPEN_ITEMS,
    STATUS,
  ],
}
