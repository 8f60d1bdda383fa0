import { defineConfig } from 'vitest/config'
import type { ViteUserConfig } from 'vitest/config'

/** Folders of test/ with a tier of their own: faults, laws as properties, fresh machines, and what starts processes. */
const daily = ['test/{fault,property,machine,server,cli,postgres}/**/*.test.ts', 'test/contract/postgres*.test.ts']
const soak = 'test/soak/**/*.test.ts'
/** Quick by day, with a fixed seed; at night they look further. */
const laws = ['test/dialects/{properties,round-trip,kept-fields}.test.ts']

const MINUTE = 60_000
/** The daily tests with larger numbers: see test/tier.ts. */
const nightly = process.env['DAYBOOK_TIER'] === 'nightly'

const config: ViteUserConfig = defineConfig({
  test: {
    setupFiles: ['test/setup.ts'],
    projects: [
      {
        extends: true,
        // Not isolated: half of the time went into loading the same modules for each of a hundred files.
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...daily, soak],
          testTimeout: MINUTE / 2,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'daily',
          include: nightly ? [...daily, ...laws] : daily,
          // Starts a PostgreSQL server when a test asks for one, and stops it at the end.
          globalSetup: ['test/postgres/global-setup.ts'],
          testTimeout: (nightly ? 90 : 8) * MINUTE,
          // What a nightly test leaves behind takes long to verify.
          hookTimeout: (nightly ? 30 : 1) * MINUTE,
        },
      },
      { extends: true, test: { name: 'soak', include: [soak], testTimeout: 24 * 60 * MINUTE } },
    ],
  },
})

export default config
