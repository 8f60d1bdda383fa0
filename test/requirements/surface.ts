/** What we promise about the surface: one description of every operation, and everything read from it. */
export const surfacePromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'surface-1',
    'An option is added in one place: its description. The library then accepts and checks it, and the OpenAPI document, tools, client and command line have it.',
  ],
  ['surface-2', 'What an editor shows for an option is what `--help` and the OpenAPI document say about it.'],
  [
    'surface-3',
    'A wrong call says what would be right: a reply of a provider names the function that reads it, messages of another dialect name that dialect, and a name or role from another library names ours.',
  ],
  [
    'surface-20',
    'A wrong call of the state, its tasks or its notes is refused in the same words by the library and by the client, before anything is sent.',
  ],
  [
    'surface-4',
    "An option and a result use the same word for the same thing: `kinds: ['fact']` finds items of the kind `fact`.",
  ],
  [
    'surface-22',
    'Options of adapters, tools, the client, the proxy, documents and dialects are checked from their descriptions, as those of the library are. A value of the wrong kind is refused before anything is done, not at its first use.',
  ],
  [
    'surface-21',
    'A directory of documents that another program named after their sessions, such as `user1:agent1:123.json`, is listed, loaded, saved and repaired like one of ours.',
  ],
  [
    'surface-30',
    '`/openapi.json` is a valid OpenAPI 3.1 document, by the judgement of a public validator, and leaves no body and no answer open.',
  ],
  [
    'surface-31',
    'Every request that a server accepts and every response that it sends is as the OpenAPI document describes it: each one that a test makes is compared with it.',
  ],
  [
    'surface-32',
    'A client that a public generator makes from `/openapi.json` type-checks, and gets the same answers as our own client to every request of the contract of a memory.',
  ],
  ['surface-43', 'The folder `src/memory` has handles and wiring and no logic of its own, in at most 1,300 lines.'],
  ['surface-42', 'The table of who may import whom also covers sub-folders, and names no folder that does not exist.'],
  [
    'surface-33',
    'What the OpenAPI document says of a message, a fact or a suggestion is what their parsers accept. Rules that a schema cannot say, such as which parts a role may have, are listed.',
  ],
  [
    'surface-40',
    'A mistake in how a memory is opened, restored or moved is refused before anything is opened. The error names the option and what was expected, and never repeats a key or a password.',
  ],
  [
    'surface-5',
    'What an editor shows for a memory, a scope and a session are plain interfaces. No store, no row and no class behind them is published.',
  ],
  ['surface-6', 'The comments of the main calls have examples that compile and run.'],
  ['surface-7', 'Each option of a call is an option of its command, in the same words, and the shell completes it.'],
  ['surface-50', 'Every exported name is declared once in the tree, so a search for a name finds one thing.'],
  [
    'surface-54',
    'One word has one meaning in the source: sealed is encrypted, a fold stands for messages, a draft is a message that is not stored. Names that were replaced do not come back.',
  ],
  [
    'surface-51',
    'ARCHITECTURE.md has at most 1,500 words, two pictures, a glossary, and says where to add a dialect, an operation or a column.',
  ],
  ['surface-52', 'Summaries and learning cut a text into sentences by the same rule.'],
  ['surface-53', 'The source cites only documents that are in the repository.'],
  [
    'surface-70',
    'Changes of the log are decided and written by one program for both stores: one at a time on SQLite, many in one transaction on PostgreSQL.',
  ],
  [
    'surface-71',
    'On PostgreSQL, all reads of one call (a history, a window, statistics, a document, facts, a graph, a recall, a context, a description that is changed) share a transaction and see one moment; what the same call wrote before is in it.',
  ],
  [
    'surface-80',
    'Which view of encrypted content a function has is part of its type: rows as stored, decrypted, without what is encrypted, or as far as keys reach. One of them given for another does not compile.',
  ],
  [
    'surface-90',
    'What an append and a start cost is compared with any earlier commit in one run: `bench/beside.ts` runs both in turns and prints the ratios.',
  ],
  [
    'surface-91',
    'Versions of what is known have stored numbers: reading facts, or facts as of a version, takes the same time after 400,000 changes as after two.',
  ],
  [
    'surface-92',
    'There is one tool `reopen`: in a turn, in long-term memory and over MCP it reads folds, shortened messages and recalled messages by the id that the model was shown, and quotes them by their trust.',
  ],
]
