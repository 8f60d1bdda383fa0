import { nearest } from '../domain/check-options.ts'
import { type Dialect, dialects } from '../domain/dialect.ts'
import { refuse } from '../domain/refuse.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aFlag, checkedBy, oneOf } from '../shape/values.ts'
import type { ConvertOptions } from './convert.ts'
import type { LintOptions } from './options.ts'

/** Accepts the name of a dialect, and says which one was probably meant by another. */
export function checkDialect(attempt: string, option: string, value: unknown): asserts value is Dialect {
  if (dialects.some((dialect) => dialect === value)) return
  const meant = typeof value === 'string' ? nearest(value, dialects) : undefined
  refuse(
    attempt,
    option,
    value,
    meant === undefined ? `one of ${dialects.join(', ')}` : `a known dialect, did you mean "${meant}"?`,
  )
}

const aDialect: Shape<Dialect> = checkedBy({ kind: 'text' }, 'a dialect', checkDialect)

const aModel: Shape<string> = checkedBy({ kind: 'text' }, 'the name of a model', (attempt, path, given) => {
  if (typeof given !== 'string') refuse(attempt, path, given, 'the name of a model')
})

const someBlobs: Shape<ReadonlyMap<string, Uint8Array>> = checkedBy(
  { kind: 'local' },
  'a Map of bytes by hash',
  (attempt, path, given) => {
    if (typeof (given as Partial<ReadonlyMap<string, unknown>> | null)?.get !== 'function')
      refuse(attempt, path, given, 'a Map of bytes by hash')
  },
)

/** What `lint` and `repair` take besides a transcript: a misspelt switch would be a rule that nobody checks. */
export const lintOptions: Shape<LintOptions> = anObject<LintOptions>(undefined, {
  unconfirmed: mayHave(
    oneOf(['warning', 'error'], { wanted: 'warning or error' }),
    'What to do with rules that nobody re-checked',
  ),
  model: mayHave(aModel, 'The model that the transcript is for'),
  thinking: mayHave(aFlag, 'Extended thinking is on'),
  store: mayHave(aFlag, 'The provider stores the response'),
  profile: mayHave(
    oneOf(['openai', 'openai-compatible-strict'], { wanted: 'openai or openai-compatible-strict' }),
    'Which servers the transcript is for',
  ),
})

/** What `convert` takes besides a transcript. */
export const convertOptions: Shape<ConvertOptions<Dialect, Dialect>> = anObject<ConvertOptions<Dialect, Dialect>>(
  undefined,
  {
    from: mustHave(aDialect, 'The dialect that the transcript is in'),
    to: mustHave(aDialect, 'The dialect that is wanted'),
    blobs: mayHave(someBlobs, 'The bytes of images and files that the log stores, by hash'),
    model: mayHave(aModel, 'The model that the result is for'),
  },
)
