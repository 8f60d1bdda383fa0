/** Throws `input/invalid` unless the value is of the shape. The path is empty for the whole of what a call was given. */
export type Check = (attempt: string, path: string, value: unknown) => void

/** What a value is, as data. JSON Schema, help and command line options are made from it. */
export type Form =
  | { readonly kind: 'text'; readonly min?: number; readonly max?: number; readonly format?: string }
  | {
      readonly kind: 'number'
      readonly whole: boolean
      readonly min?: number
      readonly max?: number
      /** The value must be greater than this. */
      readonly above?: number
    }
  | { readonly kind: 'flag' | 'null' | 'json' | 'time' | 'moment' | 'bytes' }
  /** A value of the running program, such as a callback: it cannot be sent. */
  | { readonly kind: 'local' }
  | { readonly kind: 'one-of'; readonly values: readonly (string | number | boolean)[]; readonly meanings?: Meanings }
  | { readonly kind: 'list'; readonly item: () => AnyShape; readonly min?: number; readonly max?: number }
  | { readonly kind: 'map'; readonly item: AnyShape }
  | { readonly kind: 'object'; readonly name: string | undefined; readonly fields: Fields; readonly open: boolean }
  | { readonly kind: 'either'; readonly name: string | undefined; readonly options: readonly AnyShape[] }

/** What each of several values means, by value. */
export type Meanings = Readonly<Record<string, string>>

/** A shape whose type does not matter to the reader. */
export interface AnyShape {
  readonly form: Form
  /** What the error says was expected. */
  readonly wanted: string
  readonly check: Check
}

declare const type: unique symbol

/** A value described once: its check, its type, and what its JSON Schema and its line of help are made from. */
export interface Shape<T> extends AnyShape {
  /** Only for the compiler. Takes and returns the type, so that a shape that is narrower or wider than it does not compile. */
  readonly [type]?: (value: T) => T
}

/** The type of the values that a shape accepts. */
export type TypeOf<S> = S extends Shape<infer T> ? T : never

/** One field of an object, or one argument of a call. */
export interface Field {
  readonly shape: AnyShape
  /** One sentence in plain English, without a full stop: what the field is for. */
  readonly help: string
  readonly optional: boolean
  /** What happens when the field is left out, in words. */
  readonly default?: string
}

export type Fields = Readonly<Record<string, Field>>

export interface RequiredField<T> extends Field {
  readonly shape: Shape<T>
  readonly optional: false
}

export interface OptionalField<T> extends Field {
  readonly shape: Shape<T>
  readonly optional: true
}

/** The fields that describe an interface: all of them, no other, each as optional as it is there. */
export type FieldsOf<T> = {
  readonly [Name in keyof T]-?: object extends Pick<T, Name>
    ? OptionalField<Exclude<T[Name], undefined>>
    : RequiredField<T[Name]>
}
