import type { Prompt } from './prompt.ts'
import { ERRORS, FINDINGS, VALUES } from './sections.ts'

export const SHORTEN_PAYLOAD: Prompt = {
  name: 'shorten-payload',
  task: 'Below is one long message of a conversation between a user and an agent. Write the short form that will stand in its place. The original is kept elsewhere: say what it is and what is in it, and take over what somebody would look it up for.',
  sections: [
    { key: 'gist', heading: 'Gist', means: 'what kind of text it is, where it is from and what it says on the whole' },
    FINDINGS,
    ERRORS,
    VALUES,
    { key: 'names', heading: 'Names', means: 'files, functions, people, products and tests that it names' },
  ],
}
