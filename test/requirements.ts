/** One promise of the project: a sentence of an issue, cited as `[id]` in the title of at least one test or benchmark. */
export interface Requirement {
  readonly id: string
  readonly issue: number
  readonly sentence: string
}

const issue2: readonly (readonly [id: string, sentence: string])[] = [
  [
    'repo-1',
    'One npm package, `daybook`, ESM only, Node ≥ 22.12 (develop on 24), TypeScript 7 in its strictest settings, closed export map, Apache-2.0.',
  ],
  ['repo-2', 'The tree of `DESIGN.md`.'],
  [
    'repo-3',
    '`layers.ts` says who may import whom, lint enforces it, and a fixture of forbidden imports proves that lint does.',
  ],
  [
    'repo-4',
    '`README.md` (what it is, the five verbs in one example, the two commands, where data lives; ≤ 150 lines), `ARCHITECTURE.md` (the life of a message, the tree, the invariants, several of them absences), `CONTRIBUTING.md`, `CHANGELOG.md`.',
  ],
  ['repo-5', 'Every code block in them is compiled and run by a test.'],
  [
    'repo-6',
    'Two commands on a fresh machine, from a fresh clone, with nothing installed but some Node and npm: `npm start` does the set-up and runs the main job; `npm test` does the set-up and passes the whole suite.',
  ],
  [
    'repo-7',
    'A machine may have Node 20: a small bootstrap (plain JavaScript that runs on any Node) then fetches Node 24 through the npm package `node` into an ignored folder and runs with it; with a good Node it uses that.',
  ],
  ['repo-8', 'No global install, no root, no second command.'],
  [
    'repo-9',
    'Until the server exists, `npm start` runs a short tour in the terminal that appends to a real file, shows the context, kills and reopens the store, and shows that all is there.',
  ],
  [
    'repo-10',
    'Use `npm install` with the committed lock, not `npm ci`: some optional packages of other platforms are missing from some mirrors.',
  ],
  ['repo-11', '`npm run build` writes `dist/` that mirrors `src/`; `dist/index.js` is the root export.'],
  ['repo-12', '`npm run check` = types, lint, format, dead code, package checks (publint, attw).'],
  [
    'repo-13',
    'The inner loop, `npm run test:unit`, stays under 60 seconds; `npm test` adds the fault and property tests of the daily tier and stays under 10 minutes on two cores; nightly and soak tiers have their own scripts, and one command runs each.',
  ],
  ['repo-14', '`.ci/run` calls `npm test`, and the run ends with a line `N passed, N failed`.'],

  [
    'msg-1',
    'The roles and parts of `DESIGN.md`, readonly plain data discriminated by one field, stored losslessly with every opaque provider field of each part (signatures, encrypted content, item ids).',
  ],
  ['msg-2', '`content: "text"` is a shorthand.'],
  ['msg-3', 'Name, tags, metadata (JSON), structured data, tool calls, agent calls, `toolCallId`.'],
  ['msg-4', 'Legacy tool content of the form `{"tool_call_id": …, "output": …}` is understood.'],
  [
    'msg-5',
    "The log records what happened: a tool result that answers no call, or a tool message with no call id at all (as in seed 000), is stored and reported in the answer's warnings; contexts then render it as text or leave it out with the reason in the receipt.",
  ],
  ['msg-6', '`strict: true` refuses it.'],
  ['msg-7', 'Ids are UUIDv7 unless given.'],
  ['msg-8', 'Timestamps are set when missing, kept when given; order is by sequence, never by clock.'],
  [
    'msg-9',
    'Images and files by path, URL, data URL or bytes; stored once by content hash; a path is read only inside directories the caller allowed (default: none); given back as a reference, or encoded when a dialect is asked for.',
  ],
  ['msg-10', 'A missing or unreadable file is an error at append, not a silent gap.'],
  [
    'msg-11',
    '`lint`, `repair`, `convert` for `openai`, `openai-responses`, `anthropic`, `gemini`, `ai-sdk`, `ai-sdk-ui`, `langchain`, as pure functions with the rule ids of `INTEROP.md` section B7.',
  ],
  ['msg-12', 'Repair of anything is clean, repair of a valid transcript is the identity (property tests).'],
  ['msg-13', 'Round trip through a dialect keeps what that dialect can express and the log keeps the rest.'],
  [
    'msg-14',
    "Oracle: run the AI SDK's own Anthropic, OpenAI (chat and Responses) and Google providers with a recording `fetch`, and compare the request bodies with ours.",
  ],
  [
    'msg-15',
    '`extractAction(message)`: the next action of an assistant message (call tools, invoke agents, final response), as in seed 003.',
  ],

  [
    'log-1',
    '`append`, `history`, `window` (before any compaction: the live messages), `recent`, `byRole`, `search`, `get`, `count`, `stats`, `revise`, `remove`, `clear`, `fork`, `watch`, `sessions`, `asOf` on reads, all as in the surface, with paging by cursor.',
  ],
  ['log-2', '`description` on a session gives it its system message.'],
  ['log-3', 'better-sqlite3 13.'],
  [
    'log-4',
    'Durable before acknowledged; group commit through one write queue; `BEGIN IMMEDIATE`; the pragmas and file modes of the rules; refuse SQLite older than 3.51.3.',
  ],
  ['log-5', 'Sequence numbers gapless per session under any number of processes on one file.'],
  [
    'log-6',
    '`operationId` and message ids make retries safe: the same again answers with what is stored; the same id with different content is a conflict error.',
  ],
  ['log-7', '`after` makes an append conditional.'],
  ['log-8', 'A hash chain per session (`verify()` finds any changed byte of content and names session and sequence).'],
  ['log-9', 'Migrations: numbered, checksummed, transactional; a newer file is refused untouched.'],
  [
    'log-10',
    '`watch` yields every committed message once, in order, also those of other processes; no polling faster than needed, no missed or doubled message.',
  ],
  ['log-11', 'Two stores will exist.'],
  [
    'log-12',
    'Write the contract suite now (`daybook/testing`), with SQLite as its first subject and statements split into shared SQL and dialect.',
  ],

  [
    'tok-1',
    '`tokens/`: exact counts by gpt-tokenizer (o200k and cl100k, loaded lazily), a script-aware estimator for the rest (CJK, Thai, emoji, code, JSON, base64), images by provider formula, per-message overhead, everything rounded up.',
  ],
  [
    'tok-2',
    'Linear on pathological input (a million equal letters well under a second, event loop never blocked over 50 ms).',
  ],
  ['tok-3', 'Calibration from reported usage, per model, stored.'],
  ['tok-4', 'Counts are stored with the message.'],

  ['show-1', '`npm start` and `npm test` from a fresh clone on a machine with Node 20 and on one with Node 24.'],
  [
    'show-2',
    'Property tests (fast-check) of the laws: any interleaving of appends from several handles and processes gives one gapless order; what was returned is what is read back, byte for byte, for 20,000 adversarial strings (NUL, lone surrogates, `__proto__`, RTL, 5 MB); mutating inputs or outputs changes nothing stored.',
  ],
  [
    'show-3',
    'Crash: 200 `kill -9` under load, 0 acknowledged messages lost; 5,000 simulated power cuts with `../shared/tools/powercut.c`, 0 lost; every fifth I/O failed once and for ever, 0 lost, 0 corrupt.',
  ],
  ['show-4', 'Six processes on one file for 10 s: no user-visible busy error.'],
  [
    'show-5',
    "A benchmark, `npm run bench`, in one run side by side: durable append through Daybook against the same rows through bare better-sqlite3 with a commit each (one caller: ≥ 0.7 of its rate; 64 callers: ≥ 4 times it, by group commit, with the event loop never held over 20 ms); `recent(50)` at 1,000 and 1,000,000 messages in the session (ratio ≤ 1.5); import + open + first append (≤ 150 ms on top of Node's own start).",
  ],
  [
    'show-6',
    'Bad input, each with a test: unknown role or part, unknown option (with the name that was probably meant), empty content, over-size message (default 16 MiB), bad scope or session id (empty, 300 characters, `..`, slash, emoji: accepted or refused as documented, never a path), n ≤ 0, closed memory, file that is not a database, newer schema, read-only file, full disk, corrupt page.',
  ],
  ['show-7', 'Each gets a `MemoryError` with a code, and nothing half-written.'],
]

export const requirements: readonly Requirement[] = issue2.map(([id, sentence]) => ({ id, issue: 2, sentence }))
