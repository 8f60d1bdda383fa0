import fc from 'fast-check'
import type { AnyShape } from '../../src/shape/shape.ts'

/** Short, so that equal ones meet; with the characters that parsers stumble over. */
const text = (min: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ minLength: min, maxLength: 8 }),
    fc.constantFrom('Ada', 'a b', 'é漢🎉', 'https://example.com/a.png', 'data:text/plain;base64,aGk=', '2026-01-01'),
  )

const json = fc.jsonValue({ maxDepth: 1 })

/** JSON values that the schema of a shape accepts. Lists and optional fields are short: a value is one of many thousands. */
export function fromForm({ form }: AnyShape, depth: number = 0): fc.Arbitrary<unknown> {
  switch (form.kind) {
    case 'text':
      return text(form.min ?? 0)
    case 'number': {
      const range = { min: form.min ?? form.above ?? -1_000, max: form.max ?? 1_000 }
      return form.whole ? fc.integer(range) : fc.double({ ...range, noNaN: true })
    }
    case 'flag':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'json':
      return json
    case 'time':
      return fc.oneof(fc.constantFrom('2026-01-01', '2026-01-01T10:00:00Z'), fc.integer({ min: 0, max: 1e12 }))
    case 'moment':
      return fc.constantFrom<unknown>('2026-01-01', { version: 3 })
    case 'bytes':
      return fc.constant({ type: 'base64', base64: 'aGk=' })
    case 'local':
      return fc.constant(undefined)
    case 'one-of':
      return fc.constantFrom(...form.values)
    case 'list':
      return fc.array(fromForm(form.item(), depth + 1), {
        minLength: form.min ?? 0,
        maxLength: Math.min(form.max ?? 2, Math.max(form.min ?? 0, 2)),
      })
    case 'map':
      return fc.dictionary(text(1), fromForm(form.item, depth + 1), { maxKeys: 2 })
    case 'either':
      return fc.oneof(...form.options.map((option) => fromForm(option, depth + 1)))
    case 'object': {
      const fields = Object.entries(form.fields)
      const required = fields.filter(([, { optional }]) => !optional)
      const optional = fields.filter((field) => !required.includes(field))
      // One or two of the optional fields: with all of them nearly every value would break some rule.
      return fc
        .subarray(optional, { maxLength: Math.min(2, optional.length) })
        .chain((chosen) =>
          fc.record(
            Object.fromEntries([...required, ...chosen].map(([name, { shape }]) => [name, fromForm(shape, depth + 1)])),
          ),
        )
    }
  }
}

/** The same value with one thing about it changed: a field left out, added or renamed, or a value in place of another. */
export function changed(value: unknown): fc.Arbitrary<unknown> {
  const other = fc.oneof(
    json,
    fc.constantFrom<unknown>('', ' ', 'USER', true, false, null, [], {}, -1, 0, 1.5, '\u0000'),
  )
  if (Array.isArray(value) && value.length > 0)
    return fc.oneof(
      other,
      fc.nat(value.length - 1).chain((at) => changed(value[at]).map((item) => value.with(at, item) as unknown)),
    )
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return other
  const held = value as Readonly<Record<string, unknown>>
  return fc.constantFrom(...Object.keys(held)).chain((name) => {
    const { [name]: gone, ...rest } = held
    return fc.oneof(
      { weight: 1, arbitrary: other },
      { weight: 1, arbitrary: fc.constant(rest as unknown) },
      { weight: 1, arbitrary: fc.constant({ ...rest, [`${name}s`]: gone } as unknown) },
      { weight: 1, arbitrary: other.map((item) => ({ ...held, more: item }) as unknown) },
      { weight: 5, arbitrary: changed(gone).map((item) => ({ ...rest, [name]: item }) as unknown) },
    )
  })
}
