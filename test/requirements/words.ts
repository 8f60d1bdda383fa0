/** What we promise about documentation, examples and the command line. */
export const wordsPromises: readonly (readonly [id: string, sentence: string])[] = [
  ['words-25', '`textOf` returns what a message says, results of tools included, stored or not.'],
  ['words-24', '`forget({ everything: true })` destroys all that a scope and those below it have, with one receipt.'],
  ['words-26', 'The reference has a page on events, which lists each event of `onEvent`, with its fields.'],
  ['words-22', 'The route of Next.js in `examples/` streams a reply and remembers the turns before it.'],
  ['words-23', 'The chat in a browser in `examples/` shows the conversation again after a reload and after a restart.'],
  ['words-19', 'Tables wrap between words on a terminal of 60 columns or more, and lose nothing.'],
  [
    'words-20',
    '`stats`, `cache`, `context` and `bench` draw a plot on a terminal, and `--svg` writes it as a picture.',
  ],
  ['words-21', 'On a terminal, output that is longer than the screen is shown in a pager; `PAGER=` switches it off.'],
  ['words-28', 'Every host adapter has a page with the lines that give the host a memory, and an example.'],
  ['words-29', 'Each topic of the guides has its page, which the site lists.'],
  [
    'words-30',
    'For each system that people come from, a page shows what they had, what they call, and a program that runs.',
  ],
  ['words-1', 'Every program and every command on a page of the documentation runs as it is written there.'],
  ['words-2', 'Every link in the documentation leads to a file and a heading that exist.'],
  ['words-3', 'Every error code has an entry in docs/errors.md with its cause and what to do.'],
  ['words-4', 'Every picture in the documentation is drawn by a script of the repository.'],
  ['words-5', '`npm run docs` builds a site from the same pages, with a search that works offline.'],
  ['words-6', 'The reference lists every method, every option and every HTTP address, made from the source.'],
  ['words-7', '`llms.txt` and `llms-full.txt` have every page of the documentation.'],
  [
    'words-8',
    '`daybook` alone shows scopes, counts, the last conversations and three commands that can be pasted; without a memory, all commands.',
  ],
  [
    'words-9',
    'The command line uses the scope of a memory that has one, and names the scopes of a memory that has several.',
  ],
  ['words-10', 'Options for the memory, the scope and the session work before and after the command.'],
  ['words-11', 'The first argument of a command about a conversation is the session.'],
  ['words-12', 'An unknown option gets a hint: how it is called here, or which command has it.'],
  ['words-13', 'No error of the command line is the name of a system call: it says what was tried and what is wrong.'],
  ['words-14', '`daybook init` prints the lines that give a host a memory, and they work on a fresh machine.'],
  [
    'words-31',
    'A command that another one prints can be pasted as it is: it names the memory, the scope and the session that were given.',
  ],
  ['words-32', '`daybook open` serves a memory, prints the link to its inspector and opens it in the browser.'],
  [
    'words-15',
    'An import ends with a summary of at most ten lines, however much was imported; `forget` names at most five conversations.',
  ],
  ['words-27', 'The command line prints no zeros that say nothing: it names what was found, stored or changed.'],
  ['words-16', 'Long work shows a line with its share, its rate and the time left, on a terminal only.'],
  [
    'words-17',
    '`npm run check` finds misspellings and phrases that we do not write, in documentation, help, descriptions, errors, the changelog and the comments that editors show.',
  ],
  [
    'words-18',
    'The examples run with a script in place of a model: a support bot with tools and approval, a coding agent with compaction, an assistant with facts, two agents that share a scope, the import of a ChatGPT export, and a deletion request.',
  ],
]
