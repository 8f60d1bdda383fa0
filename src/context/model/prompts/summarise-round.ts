import type { Prompt } from './prompt.ts'
import { ARTIFACTS, DEAD_ENDS, DECISIONS, ERRORS, FINDINGS, OPEN_ITEMS, REQUESTS, VALUES } from './sections.ts'

export const SUMMARISE_ROUND: Prompt = {
  name: 'summarise-round',
  task: 'Below is an earlier part of a conversation between a user and an agent. Write the note that will stand in its place. State what was learned as plain knowledge; which tool it came from does not matter any more.',
  sections: [
    REQUESTS,
    { key: 'answers', heading: 'Answers', means: 'what the agent told the user in the end' },
    DECISIONS,
    FINDINGS,
    ERRORS,
    DEAD_ENDS,
    VALUES,
    ARTIFACTS,
    OPEN_ITEMS,
  ],
}
