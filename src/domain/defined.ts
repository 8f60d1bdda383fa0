/** The same fields; those that may be `undefined` are optional. */
type Defined<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name]
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>
}

/**
 * Leaves out the fields that are `undefined`: an optional field is absent or has a value. It costs about 0.3 µs, so an append spells
 * out the fields it may have instead.
 */
export function defined<const Fields extends object>(fields: Fields): Defined<Fields> {
  const kept: Partial<Fields> = {}
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept as unknown as Defined<Fields>
}
