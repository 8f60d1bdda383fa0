/** What we promise about adapters, MCP and ways over from elsewhere. */
export const hostsPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'hosts-61',
    '`mem0Backend` of `daybook/mem0` lets `longTermMemory` recall from Mem0 and remember there. Conversations stay in Daybook, and a write for which Mem0 returns no id is an error.',
  ],
  [
    'hosts-30',
    '`daybook mcp install` shows the configuration of Claude Code, Claude Desktop, Cursor, VS Code or Codex, and writes it when you agree',
  ],
  [
    'hosts-31',
    'The MCP server offers seven tools; the toolsets all, chatgpt, mem0 and reference are chosen by name, and the tool that destroys is there only with --allow-destroy',
  ],
  ['hosts-32', 'An agent takes a fact back with the tool retract, and a person can restore it'],
  ['hosts-33', 'The toolset chatgpt has search and fetch in the shapes that ChatGPT expects of a connector'],
  [
    'hosts-34',
    "The toolset mem0 has the tools of Mem0 by their names. A memory is the same there as for Mem0's client: what the user said, or a fact that was stored by itself.",
  ],
  [
    'hosts-35',
    'Joiners inside emoji and inside words of scripts that use them are shown to a model as they are; other invisible characters are escaped',
  ],
  ['hosts-36', 'An MCP client can subscribe to the knowledge graph and is notified when it changes'],
  ['hosts-37', '`daybook mcp --import` imports the file of the reference memory server at its first start, once'],
  ['hosts-38', 'The snippet in `daybook mcp --help` starts the server on a machine that has no memory yet'],
  [
    'hosts-39',
    'The toolset reference returns what the reference memory server returns on random sequences of calls: texts, order and errors',
  ],
  [
    'hosts-1',
    '`session.change` appends, revises, removes and clears in one transaction. A retry under the same `operationId` changes nothing; the same name with other steps, or a session that moved on, is refused and nothing is changed.',
  ],
  [
    'hosts-2',
    '`session.sync` makes the live messages follow the transcript of a host: new messages are appended, messages that grew are revised, messages that are no longer in it are removed, and nothing before the first shared message is touched. The second call changes nothing.',
  ],
  [
    'hosts-3',
    '`middleware({ scope, session })` of `daybook/ai-sdk` gives a model a memory: a program that sends only what is new gets the conversation before it from the log, fitted into the window of the model.',
  ],
  [
    'hosts-4',
    'With `daybook/ai-sdk`, each reply of a model is in the log before its tools run, streamed or not. After a turn the log has every message once.',
  ],
  ['hosts-5', 'With `daybook/ai-sdk`, memory is recalled once a turn, and what was recalled is never stored.'],
  [
    'hosts-6',
    'With `daybook/ai-sdk`, a reader that disconnects from a stream loses nothing: the reply is stored whole. A reply that is stopped is stored as far as it came.',
  ],
  ['hosts-7', 'With `daybook/ai-sdk`, a request that fails and is repeated stores nothing twice.'],
  [
    'hosts-8',
    '`withMemory(agent, { scope, session })` of `daybook/ai-sdk` gives a `ToolLoopAgent` a memory, in the modes static, agent and both.',
  ],
  [
    'hosts-9',
    '`prepareStep` of `daybook/ai-sdk` fits each step of a long conversation into the window of the model and stores it once.',
  ],
  [
    'hosts-10',
    '`loadChat` of `daybook/ai-sdk` returns UI messages as `saveChat` was given them. Saving what the middleware has stored stores nothing twice.',
  ],
  [
    'hosts-60',
    "Mem0's own client works against our server with another address and key: memories, search, history, entities, batch, feedback and events, with errors in its own classes; what is not offered is 501 and listed.",
  ],
  [
    'hosts-40',
    '`scope.records(collection)` gives back JSON and bytes as they were put, each with its version and its size',
  ],
  [
    'hosts-41',
    'A record is written or deleted only over the version that was expected, and a version is never used again',
  ],
  ['hosts-42', 'Records are listed by prefix in the order of their keys, in both directions, page by page'],
  ['hosts-43', 'A batch of changes to records is made as a whole or not at all'],
  ['hosts-44', 'Bytes of up to 64 MiB are stored and read in parts of 1 MiB'],
  ['hosts-45', 'Records go into archives, are verified, are forgotten as a whole, and are never recalled'],
  [
    'hosts-11',
    'Each adapter installs beside its host in a new project, runs the lines of its page there and fits the types of the host. The time from `npm init` to the first remembered turn is printed.',
  ],
  ['hosts-12', 'The root entry of the package loads no host.'],
  [
    'hosts-13',
    '`AgentSession` of `daybook/openai-agents` is a `Session` of the OpenAI Agents SDK: items come back as they were given, and random sequences of calls return what the session of the host returns.',
  ],
  [
    'hosts-14',
    'With `AgentSession`, an operation of the runner is made once, however often it is repeated; with other items, or if the history ends otherwise, it is refused and nothing is changed.',
  ],
  [
    'hosts-15',
    "Runs with approvals, resumed and streamed, store the same items in `AgentSession` as in the SDK's own session. It forks, reads earlier items, compacts with the policies of Daybook, and works below OpenAI's compaction session.",
  ],
  [
    'hosts-50',
    "`daybook/anthropic` keeps the files of Anthropic's memory tool, and returns what the SDK's own tool returns on random sequences of commands",
  ],
  [
    'hosts-51',
    "The saver of `daybook/langgraph` passes LangGraph's own validation suite and its tests of delta channels: on SQLite, on PostgreSQL and through a client",
  ],
  [
    'hosts-52',
    'The store of `daybook/langgraph` returns what the in-memory store of LangGraph returns, and finds namespaces by whole labels',
  ],
  [
    'hosts-53',
    "`daybook/claude-agent` keeps transcripts of the Claude Agent SDK in the log: each entry once, by its uuid. It returns what the SDK's own store returns on random sequences, and under the functions of the SDK that import, list, read, fork and delete sessions. What was said is recalled.",
  ],
  [
    'hosts-69',
    "With `daybook/claude-agent`, `query()` of the Claude Agent SDK resumes a conversation on a machine that has nothing but the store: Claude Code sends what it sends with the SDK's own store, tool calls included.",
  ],
  [
    'hosts-70',
    '`daybook mcp install` warns when a configuration for all projects depends on the folder of one of them',
  ],
  [
    'hosts-71',
    '`list_facts` about a subject also lists notes that name it. Where no messages of the conversation are stored, `read_context` and `search_history` say so and what to use instead.',
  ],
  [
    'hosts-72',
    'A memory that an agent changes with `update_memory` can be found afterwards. A key that may only propose does not get the tools that change or delete memories.',
  ],
  [
    'hosts-73',
    '`daybook proxy` deletes what it keeps about responses whose session was forgotten: when a request names one, when it starts, and from time to time.',
  ],
  ['hosts-74', 'The toolset reference stores any number of entities, observations and relations in one call.'],
  [
    'hosts-75',
    "Random conversations with the AI SDK are the same with `daybook/ai-sdk` as with the host's own messages: on SQLite, on PostgreSQL and through a client. `npm test` prints how many were compared; for hosts that it does not install, the doors tier does.",
  ],
  [
    'hosts-54',
    "The session service of `daybook/adk` returns what ADK's own service returns on random sequences. Each event is stored once, and each user has a scope.",
  ],
  [
    'hosts-55',
    'The memory service of `daybook/adk` finds what a user said in all sessions, and nothing of other users.',
  ],
  [
    'hosts-56',
    "`daybook/strands` keeps snapshots and memories of Strands agents, and returns what the SDK's own stores return on random sequences. The same note, or a message that is sent again, is stored once.",
  ],
  [
    'hosts-57',
    'With every adapter, nothing is lost and nothing is stored twice when the process is killed at any moment and the call that had not returned is made again.',
  ],
  [
    'hosts-58',
    'Each host has an example of one screen that runs in the tests; where the host has a memory, a later conversation finds what an earlier one said.',
  ],
  [
    'hosts-59',
    'With every adapter, bad input has the outcome that docs/hosts.md names: a result without a call, an unknown part, 20 MB, something that is not a scope, two runs on one session, a stale version, the same call again. Nothing is lost, and nobody sees what is in another scope.',
  ],
  [
    'hosts-64',
    'With `daybook/ai-sdk`, the recorded context of a turn whose history comes from the log is the request as it was sent: instructions, conversation and what was recalled.',
  ],
  [
    'hosts-66',
    'With the saver of `daybook/langgraph`, a step at the end of a long thread makes as many calls and adds as many bytes as one at its beginning. A channel may have 20 MB.',
  ],
  [
    'hosts-65',
    '`--embedder` of the command line, with which `serve` and `mcp` find by meaning, takes a module that exports an embedder, or an OpenAI-compatible address with a model.',
  ],
  ['hosts-67', 'The routes of a Mem0 server that people run themselves work with `X-API-Key`.'],
  ['hosts-68', 'The page of hosts says which frameworks have no adapter, and why.'],
  ['hosts-62', 'Compaction blocks of Anthropic are stored and sent back as they came.'],
  [
    'hosts-63',
    '`daybook proxy` stands between a program and OpenAI (chat completions and responses) or Anthropic: conversations are logged once, contexts are fitted into a budget, streams are passed on byte for byte and errors of the provider as they are. The session is named by a header or known by its beginning.',
  ],
]
