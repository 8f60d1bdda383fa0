/**
 * What the files of a folder under `src/`, or one file, may import besides their own folder. Nothing else is allowed. A sub-folder
 * with a row of its own comes after its folder, and may not import from it unless the row says so.
 */
export interface Layer {
  /** Folders of `src/`. */
  readonly imports?: readonly string[]
  /** Folders of `src/` of which only types may be imported; `dialects/*` is the files directly in that folder. */
  readonly types?: readonly string[]
  /** npm packages and their subpaths. */
  readonly packages?: readonly string[]
  /** Modules of Node. Input and output is at the edges: most folders have none. */
  readonly node?: readonly string[]
}

const behaviour = [
  'log',
  'dialects',
  'tokens',
  'model',
  'context',
  'knowledge',
  'recall',
  'state',
  'blocks',
  'records',
  'streams',
  'jobs',
  'archive',
  'forgetting',
  'watching',
] as const
const files = ['node:fs', 'node:fs/promises', 'node:path'] as const

/** Who may import whom. Lint enforces it; `test/fixtures/layers` proves that lint does. */
export const layers: Readonly<Record<string, Layer>> = {
  // The front door: files directly in src/.
  '.': {
    imports: ['domain', 'ports', 'dialects', 'tokens', 'context', 'archive', 'memory', 'providers', 'tools', 'agent'],
    types: ['log', 'knowledge', 'recall', 'state', 'forgetting'],
  },

  // What users read. Types only, so everybody may import them (see `layerRules`).
  api: { types: ['domain', 'dialects', 'ports', 'providers'] },
  // A value described once, and every operation described once.
  shape: { imports: ['domain'] },
  surface: { imports: ['domain', 'shape'] },

  domain: {},
  ports: { imports: ['domain'] },

  log: { imports: ['domain', 'ports', 'tokens'], node: ['node:crypto', 'node:timers/promises'] },
  // The only file that reads what a caller's path names.
  'log/media.ts': { imports: ['domain', 'ports'], node: ['node:crypto', ...files] },
  /** The page tree of newer documents is compressed. */
  'log/page-count.ts': { imports: [], node: ['node:zlib'] },
  dialects: { imports: ['domain'] },
  // What all dialects share, and one folder for each of them.
  'dialects/canonical': { imports: ['domain'], types: ['dialects/*'] },
  'dialects/ai-sdk': dialect(),
  'dialects/ai-sdk-ui': dialect('dialects/ai-sdk'),
  'dialects/anthropic': dialect(),
  'dialects/gemini': dialect(),
  'dialects/openai': dialect(),
  'dialects/openai-responses': dialect('dialects/openai'),
  'dialects/langchain': dialect('dialects/openai'),
  tokens: { imports: ['domain', 'ports'], packages: ['gpt-tokenizer'] },
  // Asking a language model: deadline, spend, what its answers are read as. Who asks for what is the business of others.
  model: { imports: ['domain', 'ports'] },
  context: {
    imports: ['domain', 'ports', 'log', 'dialects', 'tokens', 'model', 'state', 'blocks'],
    // Recall comes in as a function; its results are part of a context.
    types: ['recall'],
    node: ['node:crypto'],
  },
  // Numbers and stages of the presets: data.
  'context/policies': { imports: ['domain'] },
  // Stages are pure: they read no store and ask no model.
  'context/stages': { imports: ['domain', 'context'], types: ['log'] },
  knowledge: {
    imports: ['domain', 'ports', 'log', 'jobs', 'model'],
    types: ['providers'],
    packages: ['chrono-node', 'compromise'],
    node: ['node:crypto', 'node:timers/promises'],
  },
  recall: {
    imports: ['domain', 'ports', 'log', 'tokens', 'context', 'knowledge', 'jobs', 'model'],
    packages: ['chrono-node', 'snowball-stemmers'],
    // `async_hooks`, so that posting in the background is not part of the caller's transaction.
    node: ['node:async_hooks', 'node:crypto', 'node:timers/promises'],
  },
  // How recalled items are written into a context.
  'recall/block': { imports: ['domain', 'tokens'] },
  // Tables and rules of languages, and arithmetic on vectors.
  'recall/languages': { imports: ['recall'] },
  'recall/vectors/kernel': {},
  state: { imports: ['domain', 'shape', 'surface', 'ports', 'log', 'tokens'] },
  // Named texts that are in every context: rows of the state with owners of their own.
  blocks: { imports: ['domain', 'surface', 'ports', 'log', 'tokens', 'state'] },
  // A session as one document: its window, its state and what was learned from it.
  'state/read-document.ts': { imports: ['domain', 'log', 'context', 'knowledge'] },
  // Documents by key, on the rows of the state.
  records: { imports: ['domain', 'surface', 'ports'], types: ['log'] },
  // A message that is stored while it is written, with the calls of a session, here or behind a server.
  streams: { imports: ['domain'] },
  // Ends those whose process is gone, as background work.
  'streams/abandoned-kind.ts': {
    imports: ['domain', 'ports', 'log', 'jobs'],
    node: ['node:timers/promises'],
  },
  // Stores whose content is encrypted: what others see of a store, they see through these.
  sealing: { imports: ['domain', 'ports'], node: ['node:crypto'] },
  // One file a session, for people who want files. Only here does a document touch a disk.
  documents: {
    imports: ['domain', 'shape', 'state'],
    types: ['memory'],
    node: ['node:crypto', 'node:timers/promises', ...files],
  },
  // Locks by the driver of the store, loaded in the same way.
  'documents/lock.ts': {
    imports: ['domain', 'stores/sqlite'],
    packages: ['better-sqlite3'],
    node: ['node:timers/promises'],
  },
  // The loop of an agent, on what users have: sessions, contexts and dialects.
  agent: { imports: ['domain', 'surface', 'dialects', 'context', 'tools', 'adapters/ai-sdk'], packages: ['ai'] },
  jobs: { imports: ['domain', 'surface', 'ports'], node: ['node:timers/promises'] },
  // Examines files of others and memories of ours: it stands on the handles, as a user does.
  doctor: { imports: ['domain', 'dialects', 'memory'], node: ['node:buffer', 'node:crypto', ...files] },
  // A rule judges what was read; it opens no file and no memory.
  'doctor/rules': { imports: ['domain', 'dialects', 'doctor'], node: ['node:crypto'] },
  // What happens in a scope: reads the log, the facts and the jobs.
  watching: { imports: ['domain', 'surface', 'ports', 'log', 'knowledge', 'jobs'], node: ['node:crypto'] },
  // Goes wherever content may be: log, folds, facts, index.
  forgetting: { imports: ['domain', 'surface', 'ports', 'log', 'context', 'knowledge', 'recall', 'jobs'] },
  // Which store a location names, and the keys that it is encrypted with.
  opening: {
    imports: ['domain', 'surface', 'ports', 'sealing', 'providers', 'stores/sqlite', 'stores/postgres'],
    node: ['node:path', 'node:url'],
  },
  archive: {
    imports: ['domain', 'surface', 'ports', 'log', 'dialects', 'knowledge', 'opening', 'stores/sqlite'],
    types: ['jobs', 'recall'],
    packages: ['yauzl'],
    node: ['node:crypto', ...files],
  },
  // What the files of other programs mean: pure, whatever they were read from.
  'archive/importers': { imports: ['domain', 'dialects'], node: ['node:crypto'] },
  // How files, folders and zips are read, piece by piece.
  'archive/source': { imports: ['domain', 'archive/importers'], packages: ['yauzl'], node: [...files] },
  // Who may use a memory through a server: keys, the audit trail, and what makes a repeated request safe.
  access: {
    imports: ['domain', 'surface', 'ports'],
    types: ['log'],
    node: ['node:crypto', 'node:fs/promises', 'node:timers/promises'],
  },
  memory: {
    imports: ['domain', 'surface', 'ports', ...behaviour, 'opening', 'access', 'providers', 'client'],
    node: ['node:crypto', 'node:path'],
  },

  'stores/sql': { imports: ['domain', 'ports'], node: ['node:crypto'] },
  // A migration is data: later code must not change what it does.
  'stores/sql/migrations': { types: ['stores/sql'] },
  'stores/sqlite': {
    imports: ['domain', 'ports', 'stores/sql'],
    packages: ['better-sqlite3', 'better-sqlite3-multiple-ciphers'],
    node: ['node:crypto', 'node:os', 'node:process', 'node:timers/promises', 'node:worker_threads', ...files],
  },
  // Reads the files' own bytes, in a process of its own: a file that is closed here would lose its locks.
  'stores/sqlite/search-database.ts': {
    imports: ['domain', 'ports', 'stores/sql'],
    packages: ['better-sqlite3'],
    node: ['node:child_process', 'node:timers/promises', 'node:url', ...files],
  },
  'stores/postgres': {
    imports: ['domain', 'ports', 'stores/sql'],
    packages: ['pg'],
    // `async_hooks` tells which reads are of one piece of work.
    node: ['node:async_hooks', 'node:crypto', 'node:timers/promises', 'node:tls', 'node:util'],
  },
  providers: { imports: ['domain', 'ports'] },
  // Keys come from outside: a variable, a file, a command.
  'providers/read-key.ts': { imports: ['domain'], node: ['node:child_process', 'node:fs/promises', 'node:util'] },

  tools: { imports: ['domain', 'shape', 'surface', 'recall', 'model'], types: ['memory'] },
  // One host each: only here are the types of a host known.
  'adapters/anthropic': { imports: ['domain', 'shape'] },
  // Entries of a host's transcript as messages of the log, for the adapters of several hosts.
  'adapters/entries': { imports: ['domain'] },
  'adapters/claude-agent': {
    imports: ['domain', 'dialects', 'adapters/entries'],
    packages: ['@anthropic-ai/claude-agent-sdk'],
    node: ['node:crypto'],
  },
  'adapters/adk': { imports: ['domain', 'shape', 'dialects', 'adapters/entries'], packages: ['@google/adk'] },
  'adapters/strands': {
    imports: ['domain', 'shape', 'adapters/entries'],
    packages: ['@strands-agents/sdk'],
    node: ['node:crypto'],
  },
  'adapters/langgraph': { imports: ['domain', 'shape'], packages: ['@langchain/langgraph-checkpoint'] },
  'adapters/ai-sdk': {
    imports: ['domain', 'shape', 'dialects', 'context', 'tools'],
    packages: ['ai', '@ai-sdk/provider'],
  },
  'adapters/openai-agents': { imports: ['domain', 'shape'], packages: ['@openai/agents-core'] },
  'adapters/mem0': { imports: ['domain', 'tools'] },
  // How calls travel: one table of operations for the server and its client.
  wire: { imports: ['domain', 'surface'] },
  server: {
    imports: ['domain', 'shape', 'surface', 'dialects', 'access', 'archive', 'memory', 'tools', 'watching', 'wire'],
    types: ['ports', 'log', 'context', 'knowledge', 'recall', 'state', 'forgetting'],
    packages: ['hono', '@hono/node-server', '@modelcontextprotocol/server', '@opentelemetry/api'],
    node: ['node:crypto', 'node:http', 'node:https', 'node:net', 'node:os', 'node:timers/promises', ...files],
  },
  // Long answers, written in turns.
  'server/json-pieces.ts': { imports: ['domain', 'log'] },
  // Whether a request is let in: decided before anything else of the server is used.
  'server/middleware': { imports: ['domain', 'access'], types: ['surface', 'ports'], node: ['node:crypto'] },
  // On the handles that users have: no store, no key and no archive.
  'server/mcp': {
    imports: ['domain', 'shape', 'tools', 'wire', 'server'],
    packages: ['hono', '@modelcontextprotocol/server'],
  },
  'server/mem0': {
    imports: ['domain', 'dialects', 'wire', 'server'],
    packages: ['hono'],
    node: ['node:timers/promises'],
  },
  'server/proxy': {
    imports: ['domain', 'surface', 'dialects'],
    node: ['node:crypto', 'node:http', 'node:net'],
  },
  // The page in a browser. It has the types of what the server sends, and nothing else of ours.
  inspector: {
    types: ['api', 'domain'],
    packages: ['preact', '@preact/signals'],
  },
  // The same surface, over HTTP. Contexts are put into dialects here, so it needs what does that.
  client: {
    imports: ['domain', 'shape', 'surface', 'dialects', 'context', 'archive', 'state', 'records', 'streams', 'wire'],
    types: ['memory', 'log', 'knowledge', 'recall', 'forgetting'],
  },
  // Speaks the surface of the library; of what is behind it, only the names of types.
  cli: {
    imports: [
      'domain',
      'shape',
      'surface',
      'dialects',
      'documents',
      'opening',
      'archive',
      'memory',
      'doctor',
      'server',
      'tools',
      'agent',
    ],
    types: ['log', 'context', 'knowledge', 'recall', 'forgetting', 'providers'],
    packages: ['commander', '@clack/prompts', '@ai-sdk/anthropic', '@ai-sdk/google', '@ai-sdk/openai', 'ai'],
    node: ['node:child_process', 'node:crypto', 'node:os', 'node:process', 'node:readline', 'node:tty', ...files],
  },
  // What was read, as text for a terminal.
  'cli/render': { imports: ['domain', 'cli'], types: ['doctor'] },
  // What an option names becomes an embedder; a module of the user is loaded by its path.
  'cli/embedder-from.ts': { imports: ['domain', 'providers', 'cli'], node: ['node:process', 'node:url', ...files] },
}

/** One provider each: what it shares with another is named. */
function dialect(...others: readonly string[]): Layer {
  return { imports: ['domain', 'dialects/canonical', ...others], types: ['dialects/*'] }
}
