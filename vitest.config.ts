import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import type { ViteUserConfig } from 'vitest/config'

/** One pass of each law, the contracts on PostgreSQL, the server and the command line: part of `npm test`. */
const laws = ['test/{property,server,cli}/**/*.test.ts', 'test/contract/postgres*.test.ts']
/** Kills, power cuts, failing disks, fail-over and fresh machines: `npm run test:fault`. */
const faults = ['test/{fault,machine,postgres}/**/*.test.ts']
/** Hosts, bundlers, browsers and other runtimes, which these tests install: `npm run test:doors`. */
const doors = 'test/doors/**/*.test.ts'
const soak = 'test/soak/**/*.test.ts'
/** Unit tests by day, with a fixed seed; at night they try more cases. */
const dialectLaws = ['test/dialects/{properties,round-trip,kept-fields}.test.ts']

const MINUTE = 60_000
/** The same tests with larger numbers: see test/tier.ts. */
const nightly = process.env['DAYBOOK_TIER'] === 'nightly'

/** What the slow tiers share. */
const slow = {
  // Starts a PostgreSQL server when a test asks for one, and stops it at the end.
  globalSetup: ['test/postgres/global-setup.ts'],
  testTimeout: (nightly ? 90 : 8) * MINUTE,
  // Verifying what a nightly test leaves behind takes long.
  hookTimeout: (nightly ? 30 : 1) * MINUTE,
}

/** In tests, recall waits until everything is posted, so that no result depends on the speed of the machine. */
const alias = [
  {
    find: /^\.\/posting-wait-ms\.ts$/,
    replacement: fileURLToPath(new URL('test/recall/posting-wait-ms.ts', import.meta.url)),
  },
]

const config: ViteUserConfig = defineConfig({
  test: {
    alias,
    setupFiles: ['test/setup.ts'],
    // Waits as long as a busy machine needs. A test that waits in vain fails all the same.
    expect: { poll: { timeout: MINUTE, interval: 20 } },
    // By day a test that fails is run once more, because CI shares its machine. The run then ends with its name and error, as
    // UNSTABLE: see scripts/test-failures.ts. At night nothing is run twice.
    retry: nightly ? 0 : 1,
    projects: [
      {
        extends: true,
        // Not isolated: half of the time went into loading the same modules for each of a hundred files.
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...laws, ...faults, doors, soak],
          testTimeout: MINUTE / 2,
          hookTimeout: MINUTE,
          isolate: false,
        },
      },
      { extends: true, test: { name: 'laws', include: nightly ? [...laws, ...dialectLaws] : laws, ...slow } },
      { extends: true, test: { name: 'fault', include: faults, ...slow } },
      {
        extends: true,
        test: {
          name: 'doors',
          include: [doors],
          ...slow,
          globalSetup: [...slow.globalSetup, 'test/doors/global-setup.ts'],
          hookTimeout: 5 * MINUTE,
        },
      },
      { extends: true, test: { name: 'soak', include: [soak], testTimeout: 24 * 60 * MINUTE } },
    ],
  },
})

export default config
