/** What we promise about the repository: how it is built, tested and started. */
export const repositoryPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'repo-1',
    'One npm package, `daybook`, as ES modules, for Node 22.14 and later, in strict TypeScript, with a closed export map and the Apache-2.0 licence.',
  ],
  ['repo-2', 'The folder tree in ARCHITECTURE.md is the folder tree of `src/`.'],
  [
    'repo-3',
    '`layers.ts` says who may import whom. Lint enforces it, and a fixture of forbidden imports proves that lint does.',
  ],
  [
    'repo-4',
    'README, ARCHITECTURE, CONTRIBUTING and CHANGELOG have their sections; the README is short and shows the five verbs in one example.',
  ],
  ['repo-5', 'Every code block in the documents is compiled and run by a test.'],
  [
    'repo-6',
    'A fresh clone needs some Node and npm and nothing else: `npm start` sets up and runs the server, `npm test` sets up and runs the tests.',
  ],
  [
    'repo-7',
    "If the machine's Node is too old, the bootstrap fetches Node 24 from npm into an ignored folder and uses it.",
  ],
  ['repo-8', 'Nothing is installed globally, and no command needs root.'],
  [
    'repo-9',
    'The tour appends to a real file, shows a context, kills the writer, opens the file again and finds everything.',
  ],
  [
    'repo-10',
    'Dependencies are installed with `npm install` from the committed lock, because some mirrors lack optional packages of other platforms.',
  ],
  [
    'repo-11',
    '`npm run build` writes `dist/`: types that mirror `src/`, and programs in few files, because Node takes longer to load many.',
  ],
  ['repo-12', '`npm run check` checks types, lint, format, dead code and the package.'],
  [
    'repo-13',
    '`npm test` runs the checks, units, contracts and one pass of each law in under 8 minutes on two cores; faults, doors, nightly and soak tiers have a command each.',
  ],
  ['repo-14', '`.ci/run` calls `npm test` and ends with a line `N passed, N failed`.'],
  ['show-1', '`npm start` and `npm test` work in a fresh clone, with an old Node and with a new one.'],
  [
    'show-2',
    'Any mix of appends from several handles and processes gives one order without gaps, and what is read back equals what was returned, byte for byte.',
  ],
  ['show-3', 'Killing the process, cutting the power or failing the disk loses no acknowledged message.'],
  ['show-4', 'Several processes can write to one file at once without a busy error.'],
  [
    'show-5',
    'The benchmark compares durable appends, recent reads and cold start with bare better-sqlite3 in one run.',
  ],
  ['show-6', 'Each kind of bad input fails with a `MemoryError` that names the call, the value and what was expected.'],
  ['show-7', 'A call that fails leaves nothing half-written.'],
]
