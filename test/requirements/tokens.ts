/** What we promise about counting tokens. */
export const tokensPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'tok-1',
    'Tokens are exact where the tokenizer is public, and otherwise estimated by script, code and JSON, always rounded up.',
  ],
  ['tok-2', 'Counting is linear in the length of any text and never holds the event loop.'],
  ['tok-3', 'Reported usage calibrates the estimate for a model.'],
  ['tok-4', 'Counts are stored with the message.'],
]
