import type { OxlintConfig } from 'oxlint'

import { layers } from './layers.ts'
import { layerRules } from './scripts/layer-rules.ts'

/** Folders whose answers depend on their arguments alone: time and chance come in through a port. */
const pure = [
  'domain',
  'ports',
  'log',
  'dialects',
  'tokens',
  'model',
  'context',
  'knowledge',
  'recall',
  'state',
  'jobs',
  'stores/sql',
]

const config: OxlintConfig = {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'scratch', 'test/fixtures/layers'],
  rules: {
    // Sizes.
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
    'max-params': ['error', { max: 4 }],

    // Types.
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: true }],
    'typescript/no-require-imports': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-empty-object-type': 'error',

    // Modules: one search finds a definition.
    'import/no-default-export': 'error',
    'import/no-mutable-exports': 'error',
    'import/no-commonjs': 'error',
    'import/no-cycle': 'error',
    'import/extensions': ['error', 'always', { ignorePackages: true }],
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],

    // Habits.
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'func-style': ['error', 'declaration', { allowArrowFunctions: true }],
    'no-else-return': 'error',
    'no-empty': 'error',
    'no-implicit-coercion': 'error',
    'no-new-func': 'error',
    'no-param-reassign': 'error',
    'no-self-compare': 'error',
    'no-sequences': 'error',
    'no-throw-literal': 'error',
    'no-useless-return': 'error',
    'no-var': 'error',
    'object-shorthand': 'error',
    'prefer-const': 'error',
    'prefer-template': 'error',
    'unicorn/no-abusive-eslint-disable': 'error',
    'unicorn/prefer-array-some': 'error',
    'unicorn/prefer-at': 'error',
    'unicorn/throw-new-error': 'error',
    'unicorn/error-message': 'error',

    // Order matters in a log: work in sequence is usually meant.
    'no-await-in-loop': 'off',
    // Chains are rare here, and `await` is not required to return.
    'promise/always-return': 'off',
    // `fc.property` is how fast-check is read.
    'import/no-named-as-default-member': 'off',
    // Does not see that the loop's own assignment ends it.
    'no-unmodified-loop-condition': 'off',
    // `_` marks what is not used.
    'no-underscore-dangle': 'off',
    // Messages hold any character, and tests look for the odd ones.
    'no-control-regex': 'off',
    // Data is readonly: copying is the price, and a helper next to its use is worth more than its hoisting.
    'oxc/no-map-spread': 'off',
    'unicorn/consistent-function-scoping': 'off',
    // A list of five is searched as fast as a set, and prints better.
    'unicorn/prefer-set-has': 'off',
  },
  overrides: [
    {
      files: ['src/**'],
      rules: {
        'no-console': 'error',
        'node/no-process-env': 'error',
        'no-restricted-globals': ['error', 'fetch', 'WebSocket'],
        'unicorn/no-process-exit': 'error',
        'promise/catch-or-return': 'error',
      },
    },
    {
      files: pure.map((folder) => `src/${folder}/**`),
      rules: {
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now', message: 'Take the time from a clock that was passed in' },
          { object: 'Math', property: 'random', message: 'Take chance from a function that was passed in' },
        ],
      },
    },
    {
      // The edges.
      files: ['src/cli/**', 'src/server/**', 'src/providers/**', 'src/inspector/**'],
      rules: { 'no-console': 'off', 'no-restricted-globals': 'off', 'node/no-process-env': 'off' },
    },
    ...layerRules(layers),
    { files: ['*.config.ts', 'docs/.vitepress/config.mts'], rules: { 'import/no-default-export': 'off' } },
    {
      // A suite is one long function of short tests.
      files: ['test/**', 'bench/**'],
      rules: { 'max-lines-per-function': 'off' },
    },
    {
      files: ['test/**'],
      plugins: ['vitest'],
      rules: {
        'vitest/no-focused-tests': 'error',
        'vitest/no-identical-title': 'error',
        'vitest/valid-expect': ['error', { maxArgs: 2 }],
        'vitest/valid-title': ['error', { ignoreTypeOfTestName: true }],
        // Properties and suites expect in functions of their own, and decide what from what was generated.
        'vitest/expect-expect': 'off',
        'vitest/no-conditional-expect': 'off',
        'vitest/no-standalone-expect': 'off',
        'max-lines': 'off',
      },
    },
    {
      // Runs on any Node, also one that knows neither modules nor `node:`.
      files: ['**/*.cjs'],
      rules: {
        'import/no-commonjs': 'off',
        'typescript/no-require-imports': 'off',
        'unicorn/prefer-node-protocol': 'off',
      },
    },
  ],
}

export default config
