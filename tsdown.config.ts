import { resolve } from 'node:path'
import { type UserConfig, defineConfig } from 'tsdown'
import { chunkGroups } from './scripts/chunk-groups.ts'
import { notices } from './scripts/notices.ts'
import { pagePackages } from './scripts/page-packages.ts'
import { vendored } from './scripts/vendored.ts'

/** These start workers by their addresses, which no import shows: they stay in the folder of the workers. */
const starters = /\/stores\/sqlite\/(backup|check-file|scrub|search-database)\.ts$/

const ours: UserConfig = {
  root: 'src',
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node22.14',
  fixedExtension: false,
  plugins: [
    {
      name: 'vendored',
      // Relative to the importing source: what is built has the same folders.
      resolveId: {
        order: 'pre',
        handler: (id) =>
          vendored[id] === undefined
            ? undefined
            : { id: resolve('src/vendor', `${vendored[id]}.js`), external: 'relative' },
      },
    },
  ],
}

/**
 * In chunks: Node takes three times as long to load 350 small files as to load what is in them. What is loaded on first use stays
 * in chunks of its own.
 */
const programs: UserConfig = {
  ...ours,
  entry: [
    'src/index.ts',
    'src/types.ts',
    'src/archive.ts',
    'src/dialects.ts',
    'src/client/index.ts',
    'src/client/web.ts',
    'src/server/index.ts',
    'src/doctor/index.ts',
    'src/documents/index.ts',
    'src/adapters/ai-sdk/index.ts',
    'src/adapters/openai-agents/index.ts',
    'src/adapters/anthropic/index.ts',
    'src/adapters/claude-agent/index.ts',
    'src/adapters/adk/index.ts',
    'src/adapters/strands/index.ts',
    'src/adapters/langgraph/index.ts',
    'src/adapters/mem0/index.ts',
    'src/stores/sqlite/check-worker.ts',
    'src/stores/sqlite/copy-worker.ts',
    'src/stores/sqlite/search-files.ts',
    'src/stores/sqlite/vacuum-worker.ts',
    'src/cli/main.ts',
  ],
  dts: false,
  sourcemap: true,
  outputOptions: { chunkFileNames: chunkFile, codeSplitting: { groups: [...chunkGroups(import.meta.dirname)] } },
}

function chunkFile({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  const folder = moduleIds.some((id) => starters.test(id)) ? 'stores/sqlite' : 'chunks'
  return `${folder}/[name]-[hash].js`
}

/** The types are a mirror of src/, so that an editor leads to a file with the same name. */
const types: UserConfig = {
  ...ours,
  entry: programs.entry ?? [],
  clean: false,
  unbundle: true,
  dts: { emitDtsOnly: true },
}

/** The packages that are built in, each with all that it needs. */
const theirs: UserConfig = {
  entry: Object.fromEntries(Object.entries(vendored).map(([id, name]) => [`vendor/${name}`, id])),
  outDir: 'dist',
  clean: false,
  format: 'esm',
  platform: 'node',
  target: 'node22.14',
  fixedExtension: false,
  dts: false,
  minify: true,
  deps: { alwaysBundle: [/./], onlyBundle: false },
  outputOptions: { chunkFileNames: 'vendor/[name].js' },
  plugins: [notices(pagePackages)],
}

const config: UserConfig[] = defineConfig([programs, types, theirs])

export default config
