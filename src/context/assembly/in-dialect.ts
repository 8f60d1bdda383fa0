import { defined } from '../../domain/defined.ts'
import { convert } from '../../dialects/convert.ts'
import type { DialectForms } from '../../dialects/forms.ts'
import { lint } from '../../dialects/lint.ts'
import { repair } from '../../dialects/repair.ts'
import type { Dialect } from '../../domain/dialect.ts'
import type { Draft } from '../../domain/message.ts'

/** The messages in a dialect, as its provider accepts them. */
export function inDialect<To extends Dialect>(
  messages: readonly Draft[],
  to: To,
  blobs: ReadonlyMap<string, Uint8Array>,
  model?: string,
): DialectForms[To] {
  const wire = convert(messages, { from: 'daybook', to, blobs, ...defined({ model }) })
  const options = defined({ model })
  return lint(wire, to, options).some((violation) => violation.severity === 'error')
    ? (repair(wire, to, options) as DialectForms[To])
    : wire
}
