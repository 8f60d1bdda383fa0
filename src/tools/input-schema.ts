import type { JSONObject } from '../domain/json.ts'

export const listSchema: JSONObject = { type: 'array', items: { type: 'string' } }

export function objectSchema(properties: JSONObject, required: readonly string[]): JSONObject {
  return { type: 'object', properties, required, additionalProperties: false }
}
