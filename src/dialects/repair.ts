import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Draft } from '../domain/message.ts'
import { field, isArray, isObject, omitKeys } from './canonical/json.ts'
import { repairDrafts } from './canonical/repair.ts'
import type { RepairChange } from './change.ts'
import { checkDialect, checkLintOptions } from './check-arguments.ts'
import type { Codec, TranscriptReading, Writing } from './codec.ts'
import { codecs } from './codecs.ts'
import type { DialectForms, MessageForms } from './forms.ts'
import { lint } from './lint.ts'
import type { RepairOptions } from './options.ts'
import type { TranscriptPath, Violation } from './violation.ts'

/** A transcript with what was done to it, out of the way of `JSON.stringify`, spreading and comparison. */
export type Repaired<Wire> = Wire & { readonly changes: readonly RepairChange[] }

/**
 * The nearest transcript that is clean, whatever was passed in. No transcript makes it throw; it takes time linear in its size, and gives
 * a transcript that is already clean back as it is (in a new array or object, so that the caller's stays untouched).
 * Clean here includes the unconfirmed rules.
 *
 * A call is never parted from its result: a missing result is synthesised as an error, and a result without a call is
 * quoted as user text. `changes` (not enumerable) lists every step with the rule that asked for it.
 *
 * A bare array gives a bare array; for `anthropic`, `gemini` and `ai-sdk` an object keeps its other fields.
 *
 * @throws {MemoryError} `input/invalid` for a dialect or an option that does not exist.
 */
export function repair<D extends Dialect>(
  messages: readonly unknown[],
  dialect: D,
  options?: RepairOptions,
): Repaired<MessageForms[D]>
export function repair<D extends Dialect>(
  messages: unknown,
  dialect: D,
  options?: RepairOptions,
): Repaired<DialectForms[D]>
export function repair(messages: unknown, dialect: Dialect, options: RepairOptions = {}): Repaired<object> {
  checkDialect('repair', 'dialect', dialect)
  checkLintOptions('repair', options)
  const store = options.store ?? field(messages, 'store')
  const strict: RepairOptions = { ...options, unconfirmed: 'error', ...(typeof store === 'boolean' ? { store } : {}) }
  const errors = lint(messages, dialect, strict).filter((violation) => violation.severity === 'error')
  const codec: Codec<object> = codecs[dialect]
  if (errors.length === 0) return withChanges(copyOf(messages, codec), [])
  const changes: RepairChange[] = []
  const origin = createOrigin(errors)
  function note(rule: string, action: RepairChange['action'], at: object | undefined, message: string): void {
    changes.push({ rule, path: at === undefined ? [] : (origin.pathOf(at) ?? []), action, message })
  }
  const read = codec.read(messages, origin.reading) ?? []
  const drafts = repairDrafts(read, note, codec.awaited?.(read))
  const bare = isArray(messages)
  const writing: Writing = { blobs: new Map(), options: strict, bare, verbatim: origin.verbatim, note }
  const wire = inShapeOf(messages, codec.write(drafts, writing), codec)
  return withChanges(wire, [...changes, ...unnoted(errors, changes)])
}

/** Clean input: the array of an array dialect, or the object as it is. */
function copyOf(messages: unknown, codec: Codec<object>): object {
  return codec.keys !== undefined && isObject(messages) ? { ...messages } : [...(codec.list(messages) ?? [])]
}

function inShapeOf(messages: unknown, wire: object, codec: Codec<object>): object {
  if (codec.keys === undefined) return wire
  const inner = field(wire, codec.keys.messages)
  if (isArray(messages)) return inner as unknown as object
  return isObject(messages) ? { ...omitKeys(messages, [codec.keys.messages, ...codec.keys.system]), ...wire } : wire
}

/** Every error of the input that no step named: rewriting the message took care of it. */
function unnoted(errors: readonly Violation[], changes: readonly RepairChange[]): readonly RepairChange[] {
  const noted = new Set(changes.map((change) => change.rule))
  return errors
    .filter((error) => !noted.has(error.rule))
    .map(({ rule, path, message }) => ({
      rule,
      path,
      action: 'rewrote',
      message: `Rewrote what broke the rule: ${message}`,
    }))
}

interface Unit {
  readonly drafts: readonly Draft[]
  readonly wire: readonly JSONValue[]
  readonly paths: readonly TranscriptPath[]
}

interface Origin {
  readonly reading: TranscriptReading
  readonly pathOf: (value: object) => TranscriptPath | undefined
  readonly verbatim: Writing['verbatim']
}

/** Remembers where things were read, and which wire messages had no error of their own. */
function createOrigin(errors: readonly Violation[]): Origin {
  const paths = new WeakMap<object, TranscriptPath>()
  const units = new WeakMap<Draft, Unit>()
  const tainted = new Set(errors.flatMap(({ path }) => path.map((_, index) => path.slice(0, index + 1).join('\u0000'))))

  return {
    reading: {
      keepMalformed: false,
      at: (value, path) => {
        paths.set(value, path)
        return value
      },
      unit: (drafts, wire, ...places) => {
        for (const draft of drafts) units.set(draft, { drafts, wire, paths: places })
      },
    },
    pathOf: (value) => paths.get(value),
    verbatim: (drafts) => {
      const unit = drafts[0] === undefined ? undefined : units.get(drafts[0])
      if (unit === undefined || unit.drafts.length !== drafts.length) return undefined
      if (unit.paths.some((path) => tainted.has(path.join('\u0000')))) return undefined
      return drafts.every((draft, index) => draft === unit.drafts[index]) ? unit.wire : undefined
    },
  }
}

function withChanges<Wire extends object>(wire: Wire, changes: readonly RepairChange[]): Repaired<Wire> {
  return Object.defineProperty(wire, 'changes', {
    value: changes,
    enumerable: false,
    configurable: true,
  }) as Repaired<Wire>
}
