import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'

type Check = 'number' | 'flag' | readonly string[]

const REGION: Readonly<Record<string, Check>> = {
  where: ['before-answer', 'before-newest-user', 'current-round', 'everywhere'],
  keepLast: 'number',
  keepRounds: 'number',
  keepTokens: 'number',
  olderThanMs: 'number',
}
const TELLER: Check = ['user', 'assistant']
const TELLING: Readonly<Record<string, Check>> = {
  tokensMax: 'number',
  ratio: 'number',
  role: TELLER,
  vitalShare: 'number',
  split: 'flag',
}

/** The options of every stage, by the words that make one of its kinds. */
const STAGES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  offload: { overCharacters: 'number', previewCharacters: 'number', vitalCharacters: 'number', retell: 'flag' },
  merge: {
    runOver: 'number',
    tokensMin: 'number',
    runsMax: 'number',
    tokensMax: 'number',
    role: TELLER,
    vitalCharacters: 'number',
  },
  'truncate-results': {
    tokensMax: 'number',
    charactersMax: 'number',
    savesMin: 'number',
    vitalCharacters: 'number',
  },
  'summarise round': {
    ...TELLING,
    keepUser: 'flag',
    tokensMin: 'number',
    between: 'flag',
    take: ['all', 'to-target'],
  },
  'summarise range': {
    ...TELLING,
    keepUser: 'flag',
    take: ['all', 'half', 'to-target'],
    entriesOver: 'number',
    savesMin: 'number',
  },
  'summarise folds': { ...TELLING, summaryTokensMax: 'number', foldsMin: 'number', foldsMax: 'number' },
  drop: { mode: ['contiguous', 'skip'] },
}

/** Accepts a step of a policy: a stage that exists, with options that it has. */
export function checkStage(attempt: string, path: string, step: unknown): void {
  if (typeof step !== 'object' || step === null) refuse(attempt, path, step, 'an object with a stage')
  const { stage, unit, ...options } = step as Readonly<Record<string, unknown>>
  const kind = stage === 'summarise' ? `summarise ${String(unit)}` : String(stage)
  const known = Object.hasOwn(STAGES, kind) ? STAGES[kind] : undefined
  if (known === undefined) {
    if (stage === 'summarise') refuse(attempt, `${path}.unit`, unit, 'round, range or folds')
    refuse(attempt, `${path}.stage`, stage, 'offload, merge, truncate-results, summarise or drop')
  }
  const checks = { ...REGION, ...known }
  checkOptions(`${attempt}: ${path}`, options, Object.keys(checks))
  for (const [name, value] of Object.entries(options))
    if (value !== undefined) checkValue(attempt, `${path}.${name}`, value, checks[name])
}

function checkValue(attempt: string, path: string, value: unknown, check: Check | undefined): void {
  if (check === 'number') {
    if (typeof value !== 'number' || !(value >= 0)) refuse(attempt, path, value, 'a number from 0 on')
  } else if (check === 'flag') {
    if (typeof value !== 'boolean') refuse(attempt, path, value, 'true or false')
  } else if (check?.includes(String(value)) !== true) refuse(attempt, path, value, check?.join(', ') ?? 'nothing')
}
