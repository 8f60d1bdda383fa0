import type { JSONObject } from '../domain/json.ts'
import { standaloneSchema } from '../shape/json-schema.ts'
import type { Operation } from '../surface/operation.ts'
import { requestFields } from '../surface/request-fields.ts'

/**
 * The input schema of a tool that offers some fields of an operation, or all of them. A tool may be stricter than the
 * operation: `limits` is added to the schema of a field.
 */
export function inputFrom(
  operation: Operation,
  names?: readonly string[],
  limits: Readonly<Record<string, JSONObject>> = {},
): JSONObject {
  const all = Object.entries({ ...operation.takes, ...requestFields(operation) })
  const chosen = names === undefined ? all : all.filter(([name]) => names.includes(name))
  const schema = standaloneSchema(Object.fromEntries(chosen))
  const properties = Object.entries(schema['properties'] as Readonly<Record<string, JSONObject>>)
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, property]) => [name, { ...property, ...limits[name] }])),
    required: schema['required'] ?? [],
  }
}
