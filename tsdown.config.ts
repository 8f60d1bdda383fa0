import { resolve } from 'node:path'
import { type UserConfig, defineConfig } from 'tsdown'
import { notices } from './scripts/notices.ts'
import { vendored } from './scripts/vendored.ts'

/** One file in dist/ for each in src/, under the same name, so that a stack trace reads like the source. */
const ours: UserConfig = {
  // Workers are started by their addresses, which no import shows.
  entry: [
    'src/index.ts',
    'src/types.ts',
    'src/archive.ts',
    'src/dialects.ts',
    'src/client/index.ts',
    'src/server/index.ts',
    'src/doctor/index.ts',
    'src/documents/index.ts',
    'src/stores/sqlite/check-worker.ts',
    'src/stores/sqlite/copy-worker.ts',
    'src/stores/sqlite/search-files.ts',
    'src/stores/sqlite/vacuum-worker.ts',
    'src/cli/main.ts',
  ],
  root: 'src',
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node22.14',
  unbundle: true,
  fixedExtension: false,
  dts: true,
  sourcemap: true,
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
  plugins: [notices()],
}

const config: UserConfig[] = defineConfig([ours, theirs])

export default config
