import { defined } from '../domain/defined.ts'
import { checkOptions } from '../domain/check-options.ts'
import { refuse } from '../domain/refuse.ts'
import type { Check, Field, FieldsOf, Fields, OptionalField, RequiredField, Shape } from './shape.ts'

interface ObjectSettings {
  /** What an unknown name is called in the error. @default 'option' */
  readonly what?: 'option' | 'field'
  /** What the error says when the value is not an object at all. @default 'an object' */
  readonly wanted?: string
  /** What the error calls the whole of it. @default the plural of `what` */
  readonly called?: string
  /** Other fields may be there too: what a later version adds to an answer. @default false */
  readonly open?: boolean
}

/**
 * An object with these fields and no other. The name is the name of its interface and of its component in the OpenAPI
 * document; without one it is written out where it is used.
 */
export function anObject<T extends object>(
  name: string | undefined,
  fields: FieldsOf<NoInfer<T>>,
  settings: ObjectSettings = {},
): Shape<T> {
  const { what = 'option', wanted = 'an object', called = `${what}s`, open = false } = settings
  const known: Fields = fields as unknown as Fields
  return {
    form: { kind: 'object', name, fields: known, open },
    wanted,
    check: objectCheck(known, { what, wanted, called, open }),
  }
}

function objectCheck(fields: Fields, { what, wanted, called, open }: Required<ObjectSettings>): Check {
  const names = Object.keys(fields)
  const known: ReadonlySet<string> = new Set(names)
  const list: readonly Field[] = Object.values(fields)
  return (attempt, path, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      refuse(attempt, path === '' ? called : path, value, wanted)
    if (!open)
      for (const name of Object.keys(value))
        if (!known.has(name)) checkOptions(path === '' ? attempt : `${attempt}: ${path}`, value, names, what)
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string
      const field = list[index] as Field
      const given = (value as Readonly<Record<string, unknown>>)[name]
      if (given === undefined && field.optional) continue
      field.shape.check(attempt, path === '' ? name : `${path}.${name}`, given)
    }
  }
}

/** A field that must be given. */
export function mustHave<T>(shape: Shape<T>, help: string): RequiredField<T> {
  return { shape, help, optional: false }
}

/** A field that may be left out, and in words what happens then. */
export function mayHave<T>(shape: Shape<T>, help: string, whenLeftOut?: string): OptionalField<T> {
  return { shape, help, optional: true, ...defined({ default: whenLeftOut }) }
}

/** An object with any names, each with a value of one shape. */
export function aMapOf<T>(item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return {
    form: { kind: 'map', item },
    wanted: 'an object',
    check: (attempt, path, value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(attempt, path, value, 'an object')
      for (const [name, given] of Object.entries(value)) item.check(attempt, `${path}.${name}`, given)
    },
  }
}
