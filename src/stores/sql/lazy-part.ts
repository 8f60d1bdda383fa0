type Methods<Part> = { readonly [Name in keyof Part]: (...args: never) => Promise<unknown> }

/** A part of a store that is loaded when it is first asked: who only appends need not wait for the rest. */
export function lazyPart<Part extends Methods<Part>>(
  names: { readonly [Name in keyof Part]: true },
  load: () => Promise<Part>,
): Part {
  let loaded: Promise<Part> | undefined
  const method = (name: string): [string, unknown] => [
    name,
    async (...args: never) => {
      loaded ??= load()
      return (await loaded)[name as keyof Part](...args)
    },
  ]
  return Object.fromEntries(Object.keys(names).map(method)) as Part
}
