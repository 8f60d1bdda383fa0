import { defineConfig } from 'tsdown'
import type { UserConfig } from 'tsdown'

/** One file in dist/ for each in src/, under the same name, so that a stack trace reads like the source. */
const config: UserConfig = defineConfig({
  // Workers are started by their addresses, which no import shows.
  entry: [
    'src/index.ts',
    'src/types.ts',
    'src/archive.ts',
    'src/client/index.ts',
    'src/server/index.ts',
    'src/doctor/index.ts',
    'src/documents/index.ts',
    'src/testing/index.ts',
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
  // Whoever runs the contract suites has it.
  deps: { neverBundle: ['vitest'] },
})

export default config
