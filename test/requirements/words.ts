/** What we promise about documentation, examples and the command line. */
export const wordsPromises: readonly (readonly [id: string, sentence: string])[] = [
  ['words-1', 'Every program and every command on a page of the documentation runs as it is written there.'],
  ['words-2', 'Every link in the documentation leads to a file and a heading that exist.'],
  ['words-3', 'Every error code has an entry in docs/errors.md with its cause and what to do.'],
  ['words-4', 'Every picture in the documentation is drawn by a script of the repository.'],
  ['words-5', '`npm run docs` builds a site from the same pages, with a search that works offline.'],
  ['words-6', 'The reference lists every method, every option and every HTTP address, made from the source.'],
  ['words-7', '`llms.txt` and `llms-full.txt` have every page of the documentation.'],
]
