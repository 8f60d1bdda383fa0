/** What we promise about installing and running anywhere. */
export const anywherePromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'anywhere-42',
    '`daybook migrate --owner` prepares a PostgreSQL database, so that the program never has the password of the owner.',
  ],
  ['anywhere-41', 'A program that `tsx` runs can store, recall and learn like one that Node runs.'],
  [
    'anywhere-1',
    '`openMemory` chooses the driver by the address: a path or `file:` address, `:memory:`, `postgres://`, `http://`. `file:agent.db` is the file agent.db.',
  ],
  [
    'anywhere-2',
    'The link that `daybook serve` prints opens the memory, key included. The key is in the fragment, which is never sent; in a query it is refused.',
  ],
  [
    'anywhere-3',
    'On a Node that is too old (20, 22.13) the library throws a `MemoryError` with the version found and the version wanted, before a native driver is loaded; the command line prints the same and exits 1.',
  ],
  [
    'anywhere-5',
    'The packed package installs without a warning about peers beside `ai` 5 to 7, `@ai-sdk/*` 2 to 4, `vitest` 3 to 5, `pg` 8.7 and later and the other optional peers, runs the example of the README there, and takes models of that version of the AI SDK. `daybook chat` works beside each of them.',
  ],
  ['anywhere-6', "`require('daybook')` works, for every subpath."],
  [
    'anywhere-7',
    "Where better-sqlite3 is missing, `import 'daybook'` and the addresses of servers and databases still work; opening a file says what to install.",
  ],
  [
    'anywhere-8',
    'The types work from ESM under `nodenext`, `node16` and `bundler` with TypeScript 5.6 to 7, and from CommonJS under `nodenext` with TypeScript 5.8 and later.',
  ],
  ['anywhere-4', 'The packed package runs on Node 22.14, 24 and 26.'],
  [
    'anywhere-9',
    '`npm install daybook` takes at most 50 MB in 20 packages; the package check prints and holds both. The rest is built in, with its licences.',
  ],
  [
    'anywhere-10',
    'The tarball has the documents with working links, source maps with their sources, SECURITY.md, an SBOM and the licences of what is built in.',
  ],
  ['anywhere-11', 'Two builds of one commit are equal to the byte.'],
  [
    'anywhere-12',
    "`append(messages, { from: 'openai' })` takes a provider's or framework's messages as they are: one, several, or a whole prompt.",
  ],
  ['anywhere-13', 'Appending messages of a foreign shape fails with the dialect they look like and the line to write.'],
  [
    'anywhere-14',
    "What `context.as` gives compiles against the official SDK of each dialect, and what the SDK gives can be appended, without a cast. Real LangChain messages are taken, and made from `context.as('langchain')` by LangChain itself.",
  ],
  [
    'anywhere-15',
    'Behind a pooler that gives each transaction another connection (PgBouncer, 5 connections, 64 callers) everything works with the default options: the pooler is noticed, statements have no names, `watch` looks every second.',
  ],
  [
    'anywhere-16',
    'Another program that shares a pooler finds its connections as it left them: settings, statements, channels.',
  ],
  [
    'anywhere-17',
    'PostgreSQL with TLS and a certificate authority of your own, `sslmode`, passwords from a function, `application_name`, and the number of connections and time-outs, by the address or by options.',
  ],
  [
    'anywhere-18',
    'Bundles of esbuild (ESM, CommonJS), Vite, webpack and Next.js work as they are or with the documented line; without it, the error names the line.',
  ],
  ['anywhere-19', '`lint`, `repair` and `convert` (`daybook/dialects`) bundle to at most 130 kB and run in a browser.'],
  [
    'anywhere-20',
    'Bun and Deno run the library, the server, the client, the command line and the MCP server, and pass the contract suite.',
  ],
  [
    'anywhere-21',
    'docs/platforms.md says where Daybook runs and what was run there; a command writes it and a test checks it.',
  ],
  [
    'anywhere-22',
    '`daybook/client` uses only what browsers have: it bundles for them without a module of Node, and a page reads and writes through a server that allows its origin.',
  ],
  [
    'anywhere-23',
    '`daybook mcp install` of an installed package makes a host start that package by its path, without a registry; through npx it writes npx.',
  ],
  [
    'anywhere-24',
    'In a cluster of Patroni with three members and `synchronous_mode`, an address that names all three finds the new leader after each fail-over. No acknowledged message is lost or doubled, and reads on the other members go on.',
  ],
  [
    'anywhere-25',
    'A PostgreSQL server that is not there, a host that is not found, a wrong password, an unknown database and a role that may not create tables each have an error that names it and the remedy.',
  ],
  [
    'anywhere-26',
    "The benchmark of the start prints what import, open and the first append take beyond Node's own start in a file, and beyond one connection on PostgreSQL and through a server, beside the goals of 100, 60 and 60 ms, and what each module costs.",
  ],
  [
    'anywhere-27',
    'The benchmark of appends prints the rate of one and of 64 callers against bare better-sqlite3 with the same durability, and for how long the event loop was held, in 20 rounds beside the goals.',
  ],
  [
    'anywhere-28',
    'The benchmark of `recent(50)` prints how much longer it takes than the bare query of its rows, beside the goal of 3 times.',
  ],
  [
    'anywhere-29',
    'PostgreSQL 16, 17 and 18 pass the contract suite, as PostgreSQL 15 does: 18 every day, 16 and 17 at night. The oldest `pg` that the package accepts works; an older one is refused with the version wanted.',
  ],
  [
    'anywhere-40',
    '`memory.scopes()` and `daybook scopes` list the scopes of a memory with counts and the last change; a key for one scope lists that scope and those below it.',
  ],
]
