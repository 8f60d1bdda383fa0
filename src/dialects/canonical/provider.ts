import type { Dialect } from '../../domain/dialect.ts'
import type { JSONObject, JSONValue } from '../../domain/json.ts'
import type { ProviderFields } from '../../domain/part.ts'
import { isEmpty, isObject } from './json.ts'

type Provided = { readonly provider?: ProviderFields }

/** One opaque field, as the AI SDK names it. */
export function opaque(part: Provided, provider: string, key: string): JSONValue | undefined {
  const fields = part.provider?.[provider]
  return fields !== undefined && Object.hasOwn(fields, key) ? fields[key] : undefined
}

export function opaqueText(part: Provided, provider: string, key: string): string | undefined {
  const value = opaque(part, provider, key)
  return typeof value === 'string' ? value : undefined
}

/**
 * Fields of a wire block that no other dialect has a word for. They are kept under a namespace of their own, so that
 * a field of Chat Completions never leaks into a Responses request although both are `openai`.
 */
export function wireFields(part: Provided, dialect: Dialect): JSONObject {
  return part.provider?.[`wire:${dialect}`] ?? {}
}

/** Builds `provider` from namespaces, leaving out what is empty. */
export function provided(...namespaces: readonly (readonly [string, JSONObject])[]): { provider?: ProviderFields } {
  const fields = Object.fromEntries(namespaces.filter(([, values]) => !isEmpty(values)))
  return isEmpty(fields) ? {} : { provider: fields }
}

/** `provider` as somebody sent it: kept when it has the right shape. */
export function providerOf(value: unknown): ProviderFields | undefined {
  return isObject(value) && Object.values(value).every(isObject) ? (value as ProviderFields) : undefined
}

export function mergeProvider(
  a: ProviderFields | undefined,
  b: ProviderFields | undefined,
): ProviderFields | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...names].map((name) => [name, { ...a[name], ...b[name] }]))
}
