import type { Prompt } from './prompt.ts'
import { ARTIFACTS, DEAD_ENDS, DECISIONS, OPEN_ITEMS, VALUES } from './sections.ts'

export const FOLD_SUMMARIES: Prompt = {
  name: 'fold-summaries',
  task: 'Below are summaries of consecutive parts of one conversation, oldest first. Write the one summary that will stand in place of them all. Where a later one corrects an earlier one, the later one holds.',
  sections: [
    { key: 'goals', heading: 'Goals', means: 'what the user was after, and how that changed over time' },
    { key: 'achievements', heading: 'Achievements', means: 'what was reached, in its order' },
    DECISIONS,
    {
      key: 'constraints',
      heading: 'Constraints',
      means: 'rules, preferences and limits of the user’s that go on to hold',
    },
    DEAD_ENDS,
    VALUES,
    ARTIFACTS,
    OPEN_ITEMS,
  ],
}
