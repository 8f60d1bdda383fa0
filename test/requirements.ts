import { anywherePromises } from './requirements/anywhere.ts'
import { contextsPromises } from './requirements/contexts.ts'
import { hostsPromises } from './requirements/hosts.ts'
import { inspectorPromises } from './requirements/inspector.ts'
import { recallPromises } from './requirements/recall.ts'
import { surfacePromises } from './requirements/surface.ts'
import { wallsPromises } from './requirements/walls.ts'
import { wordsPromises } from './requirements/words.ts'

/** One promise of the project, cited as `[id]` in the title of at least one test or benchmark. */
export interface Requirement {
  readonly id: string
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
    '`npm test` runs the checks, units, contracts and one pass of each law in under 8 minutes on two cores; faults, doors, nightly and soak tiers have a command each.',
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

const issue3: readonly (readonly [id: string, sentence: string])[] = [
  [
    'ctx-1',
    '`session.context({ budget, model, reserve, policy, recall })` returns provider-neutral messages, exact token figures, a receipt, and `as(dialect)`.',
  ],
  ['ctx-2', 'Never over budget, in tokens and in bytes of the chosen dialect.'],
  ['ctx-3', 'Always lint-clean for that dialect.'],
  ['ctx-4', 'Always contains all system and pinned messages and the newest user turn.'],
  ['ctx-5', 'If those alone do not fit: `context/over-budget` with the numbers of each, and nothing else happened.'],
  [
    'ctx-6',
    'Unit of cutting is the bundle (an assistant message with its calls and all results, wherever they arrived).',
  ],
  [
    'ctx-7',
    'Dangling or half-written tool calls are closed with an explicit interrupted result in the context, never in the log.',
  ],
  ['ctx-8', 'Deterministic: same log version, same policy, same bytes.'],
  ['ctx-9', 'Cost is the size of the window, not of the history.'],
  [
    'ctx-10',
    '`context.receipt`: for every message: kept, folded into which fold, or left out and why; tokens by kind (system, pinned, folds, messages, recalled, tools reserve).',
  ],

  [
    'cmp-1',
    'Stages as separate pure functions, one file each: `offload`, `merge`, `truncate-results`, `summarise`, `drop`.',
  ],
  ['cmp-2', 'A policy is a list of stages with numbers.'],
  [
    'cmp-3',
    "Presets, with the real defaults from the notes: `recency` (Forge ADR: all system messages, then the newest that fit), `auto-context` (AgentScope's six steps in order), `rolling` (50 entries or 100,000 tokens, keep 30), `managed` (MARSYS: threshold 150,000, target 90,000), and `balanced`, our default, built from what is best in them.",
  ],
  [
    'cmp-4',
    'Automatic when a context would exceed the high-water mark, down to the low-water mark; also `compact()` by hand, `force`, and `dryRun` (the receipt without the change).',
  ],
  ['cmp-5', 'Concurrent appends during a compaction survive it.'],
  ['cmp-6', 'Two processes compacting at once: one wins, the other sees it.'],
  ['cmp-7', 'Lossless: the log is never touched; a compaction is one row with its folds.'],
  ['cmp-8', '`undo()` restores the previous window: the next context is byte-identical to the one before.'],
  [
    'cmp-9',
    "`reopen(fold, page)` returns the original messages, paged by characters so that a single long line cannot flood the context; unknown or foreign ids are answered with an error, never with another session's content.",
  ],
  ['cmp-10', 'Offloaded payloads leave a stub: kind, size, first and last lines, id, how to reopen.'],
  ['cmp-11', 'Structure of tool results (id, name, metadata, several results) is kept.'],
  [
    'cmp-12',
    "Pins by message, tag or tool name; exempt tools; plan awareness (plan tools are not summarised, the plan's state stands last) as in seed 002.",
  ],
  [
    'cmp-13',
    'Convergence: ends under target or reports `cannot-reduce` once, and does not fire again until something changed.',
  ],
  ['cmp-14', 'A fold that is not smaller is refused.'],
  [
    'cmp-15',
    'Summaries have a budget of their own and are themselves folded (levels), so that a session of a million messages still has a bounded window.',
  ],

  ['sum-1', 'Default: extractive and deterministic.'],
  [
    'sum-2',
    "Keeps the user's requests, decisions, answers, errors, values, open items; says how many messages it stands for and when.",
  ],
  [
    'sum-3',
    'With a model (any AI SDK `LanguageModel` v2–v4, or a function): schema-bound output, own prompt per stage (overridable), deadline, retry cap of 2 calls per trigger, spend limit, abort.',
  ],
  [
    'sum-4',
    'Failed, slow, empty, longer, unparsable or identifier-losing output: the window stays as it was, the deterministic summariser serves, an event says so.',
  ],
  [
    'sum-5',
    'The model is never called inside `append`; a context that must be built now never waits for a model longer than its deadline.',
  ],
  [
    'sum-6',
    'Ledger: every fold carries the identifiers it hides (paths, URLs, e-mail, numbers with units, dates, codes, hashes, quoted names, error strings) with pointers to messages.',
  ],
  [
    'sum-7',
    'The receipt lists identifiers that were visible before and are not after; by default the ones from user messages and errors stay visible in the fold.',
  ],
  ['sum-8', 'Events before and after, with stage, counts, tokens, duration, model usage, and why a stage was skipped.'],
  [
    'sum-9',
    'Reaching a provider\'s "too long" error: `context({ shrink: true })` compacts by force, bounded, and never duplicates the user\'s message.',
  ],

  ['cache-1', 'Order by stability.'],
  [
    'cache-2',
    "`context.cache`: leading tokens equal to the previous context's, the first differing message, suggested breakpoints (as the Anthropic dialect's `cache_control`).",
  ],
  [
    'cache-3',
    '`simulateCache(session, policies, prices)`: replays a session turn by turn under each policy and reports cached share and cost; CLI later.',
  ],

  [
    'prove-1',
    'Property tests over generated transcripts (parallel calls, late results, several results per message, aborted streams, nested agents, system messages in the middle, images, CJK, 1 to 2,000 messages) × budgets × dialects: 100,000 windows in the nightly tier and 2,000 in the default run, 0 invalid, 0 over budget; `undo(compact(x)) = x` to the byte; every message reachable; compaction idempotent at its fixed point; replay equals incremental.',
  ],
  [
    'prove-2',
    '200 scripted model faults (time-out, 429, prose, truncated JSON, refusal, empty, huge, injected instruction, wrong language): log hash unchanged, ≤ 2 calls, valid context.',
  ],
  [
    'prove-3',
    'Each of the six AgentScope steps alone and in order; each preset against hand-written expectations from the seeds (corrected as the notes say).',
  ],
  [
    'prove-4',
    'Benchmark, side by side in one run: `context()` at 1,000 / 100,000 / 1,000,000 messages of history (ratio ≤ 1.5, p50 under 5 ms with counts stored); 500-turn agent session replayed: cached share ≥ 85 % with `balanced`, printed beside a sliding window, `recency` and summarise-every-turn; fidelity: share of planted identifiers still visible or one `reopen` away (visible ≥ 60 %, reachable 100 %) beside plain truncation.',
  ],
]

const issue4: readonly (readonly [id: string, sentence: string])[] = [
  ['fact-1', '`remember`, `facts`, `graph`, `path`, `forget` as in the surface.'],
  [
    'fact-2',
    'Subject, predicate, object (text, number, date, JSON or entity), validity (`validFrom`, `validTo`), `learnedAt`, sources (message ids, or `told` by the caller), trust, confidence, tags.',
  ],
  [
    'fact-3',
    'Bi-temporal: `asOf` (what was known then) and `at` (what was true then) both work on facts, graph and recall.',
  ],
  ['fact-4', 'The same fact again adds a source, not a row (normal form by subject, predicate, object).'],
  ['fact-5', 'A predicate declared single-valued closes the earlier value by rule, keeps both, and says so.'],
  ['fact-6', 'Contradictions against a fact of higher trust are recorded, never applied.'],
  ['fact-7', 'Retract, restore, per-fact history.'],
  ['fact-8', 'Free-text facts ("User prefers verbose output") are facts too.'],
  ['fact-9', 'Entities with types and aliases; merge and split as proposals with a diff, applied and reverted.'],
  ['fact-10', 'Neighbours, shortest path, subgraph; relations both ways.'],
  ['fact-11', 'Graph questions on 100,000 facts stay fast.'],
  ['fact-12', 'Compare-and-set (`expect: revision`) for agents that share a scope; two writers never lose an update.'],
  ['fact-13', "A scope sees its ancestors' facts and never a sibling's."],
  [
    'learn-1',
    'Jobs after the append; one message is learned from once, on every path, also after a crash; only new messages; recalled and injected text never (no feedback loop).',
  ],
  [
    'learn-2',
    'Without a model: a careful pattern learner (names, places, preferences, likes, jobs, dates, "X is the Y of Z", "remember that …"), high precision first; with `compromise` when installed.',
  ],
  [
    'learn-3',
    'With a model: schema-bound triples with the exact quote and message id; an item whose quote is not in the message is refused; unknown predicates are normalised; bad JSON, prose, refusals lose nothing and are retried within the cap.',
  ],
  ['learn-4', 'Existing facts near the message are given to the model so that it updates instead of duplicating.'],
  [
    'learn-5',
    'Trust: stamped by the store from the role and channel; derived = the lowest of its sources; tool and web content is quarantined (visible, not in default recall) until endorsed.',
  ],
  ['learn-6', 'A source that is rolled back takes all it taught with it, at once.'],
  [
    'learn-7',
    'Consolidation (duplicates, aliases, stale facts) is a proposal with a diff; nothing is rewritten until applied, and it can be reverted.',
  ],
  [
    'learn-8',
    'Jobs: durable, bounded, listed, retried with back-off, cancelled, drained on close, `settled()`; a queue that is full says so; a spend limit per hour; own model.',
  ],
  [
    'recall-1',
    'One analyser in TypeScript for both stores: `Intl.Segmenter` words (CJK and Thai found out of the box), Snowball stemming by detected language, identifiers whole and in pieces (`getUserById`, `ERR-7731`, paths), accents folded.',
  ],
  ['recall-2', 'Index and query use the same code.'],
  [
    'recall-3',
    'Candidates from words, from vectors when there is an embedder, from the graph (entities named in the question, one hop), from time phrases in the question (chrono-node) — united.',
  ],
  [
    'recall-4',
    'Ranked in one place, by one weighted sum (rank fusion measured clearly worse): words over the passage, its neighbours and its session, speaker, date, question type, vector, graph; recency and importance as mild priors.',
  ],
  [
    'recall-5',
    'The recipe, its weights, what did not help and the goal are in `../shared/RECALL.md`; language packs for English and at least German and Chinese, a neutral one for the rest.',
  ],
  ['recall-6', 'Kinds: messages, folds, facts.'],
  [
    'recall-7',
    'Results by count or by token budget, best first, near-duplicates folded, each with why (which words, which vector, which edge, which date), trust and source.',
  ],
  ['recall-8', '`explain` adds what was considered and dropped with the reason.'],
  [
    'recall-9',
    'Vectors: any AI SDK `EmbeddingModel` or function; exact search over quantised vectors behind a port (figures in `../shared/PERFORMANCE.md`; the choice is yours, by benchmark: ≤ 10 ms at 100,000 × 384 with recall ≥ 0.99); every vector stamped with its generation (model, dimensions); change of model re-embeds in the background while the old generation serves; wrong dimensions, NaN or wrong count are refused and retried, and words still find the message meanwhile.',
  ],
  ['recall-10', 'Never an error from user text: quotes, operators, emoji, 10,000 characters, empty.'],
  [
    'ltm-1',
    '`LongTermMemory` over a scope: `record(messages)`, `retrieve(message) → text`; modes `static`, `agent`, `both`; tools `record_to_memory(thinking, content[])` and `retrieve_from_memory(keywords[])`, answering in text for empty input, plus `reopen`, `search_history`, `forget`.',
  ],
  [
    'ltm-2',
    'Retrieval once per user turn, cached for its steps; failing, slow or empty retrieval leaves the request as it was.',
  ],
  [
    'ltm-3',
    'The block `<long_term_memory>` holds JSON-encoded items with dates, ids, trust; stored text cannot close it; never in the system role; never stored or learned again.',
  ],
  [
    'know-1',
    'Recall quality with no model on LoCoMo: `npm run bench:recall` with the five conversations of `../shared/data/locomo-dev.json`, through the public API (append every turn, ask every question): recall@5, @10, @25, @50, hit@10, MRR, by category, beside plain FTS5 bm25 and substring search in the same run.',
  ],
  ['know-2', 'The goal is in `../shared/RECALL.md`.'],
  ['know-3', 'Test data other than these five will be used too: nothing may be tuned to names in it.'],
  [
    'know-4',
    'The same recall on a Chinese, a Japanese and a German set of 50 messages with 20 questions each that you write: every exact-word question hit in the top 3.',
  ],
  [
    'know-5',
    'Property tests: bi-temporal laws (as-of replays exactly), dedup, trust never rises in random derivation graphs (10,000), learning twice = learning once, scope isolation under random trees of scopes.',
  ],
  [
    'know-6',
    'Benchmark: recall over 1,000 / 10,000 / 100,000 messages: p50 and p99, growth; facts and one-hop graph at 100,000 facts; learn throughput without a model; all beside FTS5 alone in the same run.',
  ],
  ['know-7', 'A crash in the middle of learning and embedding: after restart everything is learned exactly once.'],
]

// Not here yet: the sentence that lists the commands; mcp, import, export, backup, restore and doctor do not exist.
const issue5: readonly (readonly [id: string, sentence: string])[] = [
  [
    'http-1',
    'hono + zod-openapi; every verb of the surface under `/v1/scopes/{scope}/…` (scope encoded), OpenAPI 3.1 at `/openapi.json` generated from the routes and checked against them in a test.',
  ],
  [
    'http-2',
    'A typed client is exported (`daybook/client`) with the same surface as the library, so that `openMemory("http://…")` works too and passes the same contract suite.',
  ],
  [
    'http-3',
    '`Idempotency-Key` on writes; cursors opaque and bound to the scope; errors as problem documents with our codes.',
  ],
  [
    'http-4',
    'Streaming of `watch` as server-sent events with `Last-Event-ID` resume; NDJSON bulk append and export, streamed, with back-pressure.',
  ],
  [
    'http-5',
    'Keys: `daybook key create --scope acme/ada --can read,write`; stored hashed, shown once, listed, expired, revoked; bound to a scope prefix and verbs (read, write, propose, admin); first start makes an admin key in a 0600 file and prints a link for the browser; no anonymous mode.',
  ],
  [
    'http-6',
    'Loopback by default; other addresses need TLS files or an explicit `--behind-proxy`; exact Host list, Origin check, no CORS unless configured, body, depth, time and rate limits, 429 early, slow clients cut.',
  ],
  [
    'http-7',
    '`/healthz`, `/readyz` (says `full`, `read-only`, `recovering`), `/metrics` (Prometheus), structured logs without content, OpenTelemetry spans by the GenAI memory conventions (content only on opt-in), audit trail (who, what, ids, hashes).',
  ],
  ['http-8', 'Graceful stop drains; overload sheds load and keeps quiet tenants fast.'],
  [
    'cli-1',
    'Help with examples; `--json` everywhere; exit statuses documented; colours and progress only on a terminal; nothing on stdout but the answer; `daybook` alone explains itself; shell completion.',
  ],
  [
    'cli-2',
    "`daybook show` prints a conversation as a person wants to read it, with folds, tokens and tool calls; `daybook context --diff` shows what changed between two moments; `daybook cache` shows the simulator's table.",
  ],
  [
    'cli-3',
    '`daybook chat`: a real agent loop over a memory (AI SDK `ToolLoopAgent`; OpenAI, Anthropic, Google or any OpenAI-compatible address such as Ollama, by environment) with modes static, agent, both; shows what was recalled and folded; resumes after a kill at any moment, also in the middle of a tool call; with no key it runs on a scripted model that says so plainly and still shows memory at work.',
  ],
  [
    'cli-4',
    '`serve, mcp, chat, sessions, show, append, search, context, compact, undo, fork, facts, remember, recall, forget, import, export, backup, restore, verify, rebuild, doctor, migrate, key, jobs, stats, cache, bench`.',
  ],
  [
    'serve-1',
    'Fresh clone, `npm start`: a link in the terminal, a working service, in one command; stopped and started again, everything is there.',
  ],
  ['serve-8', 'Install as a package from its packed tarball into an empty project: library, CLI and types work.'],
  ['serve-2', 'Contract suite over HTTP, both stores.'],
  [
    'serve-3',
    'Route × key matrix generated from the router (no, wrong, expired, revoked, other scope, read-only): 100 %.',
  ],
  [
    'serve-4',
    '50,000 malformed requests (schema-driven and mutated): 0 crashes, 0 answers 5xx, event loop never blocked over 50 ms.',
  ],
  [
    'serve-5',
    '`kill -9` of the server 200 times under load through the real API: 0 acknowledged lost, 0 duplicated with keys.',
  ],
  [
    'serve-6',
    'Load, in one run beside a bare hono route that commits each request: durable appends/s and p99 at 1, 16, 64 connections (≥ 4 times the bare route at 64); context and recall p99 on 100,000 messages; 10 × overload with one noisy key.',
  ],
  ['serve-7', 'CLI tested as a person uses it (a real terminal, tmux or a pty, for `chat`, progress and colours).'],
]

const issue6: readonly (readonly [id: string, sentence: string])[] = [
  [
    'pg-1',
    '`openMemory("postgres://…")` gives everything that the SQLite file gives, for many processes on many machines; PostgreSQL ≥ 15, driver `pg` as an optional peer.',
  ],
  [
    'pg-2',
    'The whole contract suite, property tests and fault tests run against both stores in lockstep: same results, same errors, same order, same recall ranking.',
  ],
  ['pg-3', 'Shared SQL once; a dialect holds what differs. No decision lives in a store.'],
  [
    'pg-4',
    'Appends: sequence by row lock on the session, group commit per process (one round trip and one commit for what arrived together), pipelining, prepared statements, idempotent under connection cuts.',
  ],
  [
    'pg-5',
    'Retry of serialisation failures and lost connections is bounded and safe; an unknown outcome is resolved by operation id, never guessed.',
  ],
  [
    'pg-6',
    "Body as JSON text (NUL and lone surrogates survive, unlike `jsonb`); full-text candidates from the analyser's terms in a capped `tsvector` written with the row or by the job, GIN; ranking is the one in `recall/`.",
  ],
  [
    'pg-7',
    '`pgvector` where the server has it (HNSW, per-generation tables), found out at open and said in `stats`; without it words, graph and time still recall, and exact vector search in the process serves small scopes.',
  ],
  ['pg-8', "Tested with PGlite's pgvector through the same driver, and without it on a real server."],
  [
    'pg-9',
    'Row-level security: forced, by a transaction-local setting, with a runtime role that owns nothing and cannot bypass it; application filter and RLS each hold alone (tests remove one at a time).',
  ],
  ['pg-10', 'Migration role separate from runtime role.'],
  [
    'pg-11',
    '`watch` over `LISTEN/NOTIFY` with catch-up from the log after a reconnect: nothing missed, nothing doubled, commit order per session (a sequence is not commit order: say how it is solved).',
  ],
  ['pg-12', "Jobs by `FOR UPDATE SKIP LOCKED`; one job never runs twice at once; a dead worker's jobs come back."],
  [
    'pg-13',
    'Partitioning by hash of scope as an option at creation; reads that may be stale can go to a replica, decisions never.',
  ],
  [
    'pg-14',
    '`daybook migrate`: move a SQLite memory to PostgreSQL and back, verified by hash, resumable, with progress, while the source stays readable.',
  ],
  [
    'pg-15',
    'Refuse or warn loudly: `fsync=off`, `synchronous_commit=off`, `SQL_ASCII`, superuser or BYPASSRLS runtime role, too old, missing privileges.',
  ],
  ['pg-16', 'Pool exhaustion, slow server, statement time-outs: bounded and typed.'],
  [
    'pg-17',
    '`docs/scale.md`: what one server holds (measured here: rows, bytes, appends/s, recall p99), how it grows with partitions, replicas and a distributed PostgreSQL (Citus, YugabyteDB: which features we use and which they lack), up to 10⁹ messages, with the arithmetic; and a simulation or a partitioned run that supports the growth curve.',
  ],
  [
    'pg-18',
    "`npm test` finds a server by itself: `DATABASE_URL` if set; else the machine's PostgreSQL binaries, started in a scratch directory on a free port (as another user when root); else PGlite for the contract suite, saying so. `.ci/run` makes sure that a real server is used.",
  ],
  ['pg-19', 'Contract + 100,000 random commands in lockstep on both stores: 0 differences (nightly 1,000,000).'],
  [
    'pg-20',
    '8 processes × 64 sessions under 20 server kills (immediate shutdown) and 2 % connection cuts at random bytes: 0 lost, 0 duplicated, gapless, per-session order kept; recovery time printed.',
  ],
  ['pg-21', 'Streaming standby promoted under load with synchronous replication: 0 acknowledged lost.'],
  [
    'pg-22',
    '100,000 fuzzed requests of one scope holding ids and cursors of another, with the filter removed and with RLS removed: 0 leaks.',
  ],
  [
    'pg-23',
    'Benchmark in one run beside bare `pg` inserting the same rows: 1, 8, 64 callers; append p50/p99; window read; recall at 10⁴, 10⁵, 10⁶ messages; LISTEN latency; job throughput.',
  ],
]

const issue7: readonly (readonly [id: string, sentence: string])[] = [
  [
    'state-1',
    '`session.state`: a JSON document with versions: `get`, `set` with compare-and-set, `update(fn)`, history, as-of.',
  ],
  [
    'state-2',
    'The sections of seed 004 are first-class: `system_state` (last workspace, preferences), `facts`, `active_tasks` (add, progress, finish, fail, cancel; terminal ones leave the document 24 h after their last change, never the history), `tool_stats` (counted from the log by itself: total, by tool, failures), `last_known_environment`, `token_usage` (in, out, this session; fed by `usage`).',
  ],
  ['state-3', 'Plan state (goal, steps) for plan-aware compaction.'],
  ['state-4', 'Scratchpad notes for the agent (add, list by tag, search, done, update), as tools too.'],
  [
    'state-5',
    'Any component can keep its own state under its own key: `saveTo(key)`, `loadIfExists(key)`, `loadOrThrow(key)`, `saveIfExists`, `delete`: all components validated first, then swapped at once (StateModule, SessionManager).',
  ],
  [
    'docs-1',
    '`session.document()` gives the human-readable JSON document of seed 004 (session_id, system_state, facts, recent_history, long_term_summary, active_tasks, tool_stats, last_known_environment, token_usage) for any session.',
  ],
  [
    'docs-2',
    '`openDocuments(directory)`: `initialize`, `load` (new if absent), `save`, `delete`, `list` over one file a session, for people who want files they can read and put under version control. fsync of file and directory, unique temporary name, lock, version check; names encoded reversibly so that any session id (colons, slashes, dots, emoji, 300 characters, case twins) maps to one file inside the directory and back.',
  ],
  [
    'docs-3',
    'A corrupt file is quarantined beside its last good version and reported; never deleted, never half-loaded.',
  ],
  [
    'docs-4',
    '`compact(document)` returns what changed (history, facts, tasks) with the numbers of seed 004, corrected as in the notes.',
  ],
  ['docs-5', 'Import of such documents into a memory and back.'],
  [
    'docs-6',
    'Documents: two writers (one wins, policies fail / overwrite / merge), crash between write and rename (old file intact), 200 hostile ids listed back exactly, all inside the directory.',
  ],
  ['docs-7', 'Every case in the notes\' sections "Sessions/files" and "Context document".'],
  [
    'arc-1',
    '`daybook export` / `import`, library and CLI: one documented, streamable file with messages, revisions, folds, facts, graph, state, blobs, lineage; per-record and whole-file hashes; a manifest.',
  ],
  [
    'arc-2',
    'Export → import → export is equal to the byte; a torn or changed archive is refused with the place named; resumable, idempotent, with progress; 1,000,000 messages in bounded memory.',
  ],
  ['arc-3', "Markdown view of a session and of a scope's facts."],
  [
    'imp-1',
    'Importers, each with a dry run that reports what would come in: ChatGPT export (zip, folder, sharded), Claude export, Claude Code JSON lines, OpenAI chat JSON lines, OpenAI Agents items, AI SDK UI messages, LangChain and LangSmith messages, LangGraph checkpoints, the reference MCP memory file, Mem0 dumps.',
  ],
  [
    'imp-2',
    'Ids are stable, so importing twice changes nothing; branches are kept as forks; everything optional in the formats is optional; imported content has imported trust.',
  ],
  ['imp-3', 'Zip bombs, 1 GB lines, NUL blocks, torn tails, wrong types: a report, limits kept, no crash.'],
  [
    'imp-4',
    'Archive and every importer: round trips and golden fixtures you write; export of 1,000,000 messages with flat memory.',
  ],
  [
    'doc-1',
    "`daybook doctor <file or store>`: recognises a store of ours, a provider transcript in any dialect, JSON lines, the reference server's file, a Mem0 dump.",
  ],
  [
    'doc-2',
    'Reports orphaned and duplicated tool messages, order, empty parts, lost signatures, duplicates, oversize, echo loops, secrets (keys, tokens, passwords by pattern), torn lines, with the rule id, place and a suggested patch.',
  ],
  ['doc-3', '`--fix` writes a repaired copy and keeps the original; `--json`; exit status tells.'],
  [
    'doc-4',
    '`verify` and `rebuild` for our own store: rebuild drops every projection and posts it again; answers before and after are equal.',
  ],
  [
    'doc-5',
    'Golden corpus: write at least 30 broken transcripts after the incidents listed in the notes (orphans after truncation, split parallel calls, reasoning without its item …), each with the expected finding and repair.',
  ],
  [
    'forget-1',
    '`forget({ message } | { session } | { subject } | { fact })`: log rows, revisions, folds that cover them (folded again without them), facts and edges learned only from them, vectors, index entries, blobs no longer used, jobs, state, caches, free pages and WAL.',
  ],
  ['forget-2', 'Leaves a tombstone (sequence, salted hash, time, reason) so that order and hash chain still verify.'],
  [
    'forget-3',
    'Returns a receipt by kind; `verifyForgotten(receipt, samples)` scans every table, index and the raw bytes of the files.',
  ],
  [
    'forget-4',
    '10,000 planted canaries (text, words, vectors) in every layer; after `forget`, 0 in any byte of database, WAL, blobs; the rest intact and verified; time printed.',
  ],
  ['keep-1', 'Retention: per scope, by age or count, dry run first, as a job.'],
  ['keep-3', 'Encryption at rest: optional whole-file through `better-sqlite3-multiple-ciphers`.'],
  [
    'keep-4',
    'Optional per-session data keys for content (AES-256-GCM, associated data = scope, session, sequence), wrapped by a master key from environment, file or command: forgetting destroys the key, so that old backups are unreadable too. The docs state what cannot be searched then.',
  ],
  ['keep-2', 'Redaction hook before storing, and a secret scrubber that can be switched on.'],
  [
    'keep-5',
    '`backup(file)` online, verified, and `restore`; a doc test shows that copying the file naively is wrong.',
  ],
]

export const requirements: readonly Requirement[] = [
  ...issue2,
  ...issue3,
  ...issue4,
  ...issue5,
  ...issue6,
  ...issue7,
  ...surfacePromises,
  ...wallsPromises,
  ...contextsPromises,
  ...recallPromises,
  ...anywherePromises,
  ...hostsPromises,
  ...inspectorPromises,
  ...wordsPromises,
].map(([id, sentence]) => ({ id, sentence }))
