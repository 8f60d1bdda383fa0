// Writes the table of docs/platforms.md: `npm run platforms`. A test compares the two, and each row with the tests it names.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from './run.ts'

/** One platform, what is run on it, and the tests that do: each text of `seen` stands in that file. */
export interface Platform {
  readonly name: string
  readonly run: string
  readonly test: string
  readonly seen: readonly string[]
}

const library = 'the example of the README, the command line'

export const platforms: readonly Platform[] = [
  { name: 'Node 22.14, 24, 26', run: library, test: 'test/doors/node.test.ts', seen: ["'22.14', '24', '26'"] },
  {
    name: 'Node 20, 22.13',
    run: 'refused with the version found and wanted',
    test: 'test/doors/node.test.ts',
    seen: ["'20', '22.13'"],
  },
  {
    name: 'Bun, Deno',
    run: `${library}; a server, a client, MCP, backup, forget; the contract suite`,
    test: 'test/doors/runtimes.test.ts',
    seen: ['bun:', 'deno:', "'mcp'", 'passes the contract suite'],
  },
  {
    name: '`require` and TypeScript 5.6 to 7',
    run: 'every subpath and its types',
    test: 'test/doors/types.test.ts',
    seen: ["'5.6'", "'7.0'", 'CommonJS'],
  },
  {
    name: 'beside `ai` 5, 6, 7 and `vitest` 3, 4, 5',
    run: 'no warning about peers; models of that version',
    test: 'test/doors/beside.test.ts',
    seen: ['ai: 5', 'ai: 6', 'ai: 7'],
  },
  {
    name: 'without better-sqlite3',
    run: '`import`, a server; a file says what to install',
    test: 'test/doors/beside.test.ts',
    seen: ['without better-sqlite3'],
  },
  {
    name: 'esbuild, Vite, webpack, Next.js',
    run: 'append, recall, backup, forget from the bundle (Next.js: append)',
    test: 'test/doors/bundlers.test.ts',
    seen: ['esbuild', 'Vite', 'webpack', 'Next.js'],
  },
  {
    name: 'Chromium',
    run: '`daybook/dialects`, 130 kB',
    test: 'test/doors/bundlers.test.ts',
    seen: ['chromium', 'DIALECTS_BYTES_MAX'],
  },
  {
    name: 'Chromium, with a server',
    run: '`daybook/client`: append, watch, context, recall, export, import',
    test: 'test/doors/browser-client.test.ts',
    seen: ['chromium', '--platform=browser', 'memory.import'],
  },
  {
    name: 'official SDKs of seven dialects',
    run: 'what goes in and what comes back compiles without a cast',
    test: 'test/doors/dialects.test.ts',
    seen: ['openai', '@anthropic-ai/sdk', '@google/genai', '@langchain/core'],
  },
  {
    name: 'PostgreSQL 15',
    run: 'the contract suite, fail-over, kills',
    test: 'test/contract/postgres.test.ts',
    seen: ['PostgreSQL'],
  },
  {
    name: 'PostgreSQL 16, 17, 18, `pg` 8.7',
    run: 'the contract suite (16 and 17 at night); append, watch, recall, forget with the oldest driver',
    test: 'test/doors/postgres.test.ts',
    seen: ['16.14.0', '17.10.0', '18.4.0', "'pg@8.7.0'", 'passes the contract suite'],
  },
  {
    name: 'PgBouncer, transaction pooling',
    run: 'the contract suite, 64 callers on 5 connections, kills',
    test: 'test/postgres/pooler.test.ts',
    seen: ['CALLERS = 64', 'CONNECTIONS = 5', 'testMemory'],
  },
  {
    name: 'Patroni with etcd, three members',
    run: '20 leaders killed while 8 processes write (at night), reads on the other members',
    test: 'test/postgres/patroni.test.ts',
    seen: ['nightly: 20', 'PROCESSES = 8', 'reads on'],
  },
  {
    name: 'PostgreSQL with TLS',
    run: 'own authority, changing passwords, parameters of the address',
    test: 'test/postgres/tls.test.ts',
    seen: ['sslmode=verify-full', 'password'],
  },
]

const MARKS = ['<!-- platforms: written by npm run platforms -->', '<!-- /platforms -->'] as const

/** A page with the table put between its marks. */
export function withTable(page: string): string {
  const [start, end] = MARKS
  const rows = platforms.map(({ name, run, test }) => `| ${name} | ${run} | \`${test}\` |`)
  const table = ['| where | what is run | test |', '| --- | --- | --- |', ...rows].join('\n')
  return page.replace(new RegExp(`${start}[\\s\\S]*${end}`), `${start}\n\n${table}\n\n${end}`)
}

if (import.meta.main) {
  const file = join(ROOT, 'docs/platforms.md')
  await writeFile(file, withTable(await readFile(file, 'utf8')))
}
