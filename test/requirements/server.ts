/** What we promise about the server, its client and the command line. */
export const serverPromises: readonly (readonly [id: string, sentence: string])[] = [
  ['http-1', 'Every operation is an HTTP route, described at `/openapi.json`.'],
  ['http-2', '`daybook/client` has the surface of the library and passes its contract suite.'],
  [
    'http-3',
    'Writes take an `Idempotency-Key`, cursors are opaque and bound to their scope, and errors are problem documents with our codes.',
  ],
  ['http-4', '`watch` is a stream that resumes; bulk append and export are streamed.'],
  [
    'http-5',
    'Keys are bound to a scope and permissions, stored hashed, shown once, and can expire and be revoked. There is no anonymous mode.',
  ],
  ['http-6', 'The server listens on loopback by default, checks host and origin, and limits size, time and rate.'],
  ['http-7', 'The server has health, readiness, metrics, logs without content, spans and an audit trail.'],
  ['http-8', 'Stopping drains requests; overload sheds load and keeps quiet tenants fast.'],
  ['cli-1', 'Every command has help with examples and `--json`; colours and progress appear on a terminal only.'],
  ['cli-2', '`show`, `context --diff` and `cache` print conversations, changes and costs for people.'],
  [
    'cli-3',
    '`daybook chat` runs an agent loop that resumes after a kill, and works without a key on a scripted model.',
  ],
  ['cli-4', 'There is a command for each thing a person does with a memory.'],
  ['serve-1', '`npm start` in a fresh clone prints a link to a working server; after a restart everything is there.'],
  ['serve-8', 'The packed tarball works in an empty project: library, command line and types.'],
  ['serve-2', 'The contract suite passes over HTTP on both stores.'],
  ['serve-3', 'Every route refuses missing, wrong, expired, revoked, foreign and read-only keys.'],
  ['serve-4', 'Malformed requests never crash the server or give a 5xx.'],
  ['serve-5', 'Killing the server under load loses and repeats no acknowledged write.'],
  ['serve-6', 'The load benchmark runs beside a bare route that commits each request.'],
  ['serve-7', 'The command line is tested in a real terminal.'],
]
