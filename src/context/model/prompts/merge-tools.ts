import type { Prompt } from './prompt.ts'
import { ARTIFACTS, DEAD_ENDS, ERRORS, FINDINGS, STATUS } from './sections.ts'

export const MERGE_TOOLS: Prompt = {
  name: 'merge-tools',
  task: 'Below is a stretch of an agent’s work with its tools. Write the log entry that will stand in its place, so that the agent never has to run any of it a second time.',
  sections: [
    {
      key: 'approach',
      heading: 'Approach',
      means: 'the line of attack, and what about it worked',
    },
    {
      key: 'operations',
      heading: 'Operations',
      means:
        'each call: the tool, its exact arguments, what came of it; calls that wrote something in full detail, equal calls once with their number',
    },
    FINDINGS,
    ERRORS,
    DEAD_ENDS,
    ARTIFACTS,
    STATUS,
  ],
}
