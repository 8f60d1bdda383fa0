import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import type { JSONObject, JSONValue } from '../../src/domain/json.ts'
import { describeApi } from '../../src/server/openapi.ts'
import { surface } from '../../src/surface/index.ts'
import { openScene } from '../server/scene.ts'

/** The schemas that say nothing about an object, with where they are. */
function opaque(value: JSONValue | undefined, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => opaque(item, `${at}/${index}`))
  const { type, properties, additionalProperties } = value as JSONObject
  const isOpaque = type === 'object' && properties === undefined && additionalProperties === undefined
  return [
    ...(isOpaque ? [at] : []),
    ...Object.entries(value).flatMap(([name, inner]) => opaque(inner as JSONValue, `${at}/${name}`)),
  ]
}

/** Every body and every answer, by operation. */
function contents(document: JSONObject): readonly (readonly [name: string, schema: JSONObject])[] {
  const paths = document['paths'] as unknown as Record<string, Record<string, { operationId: string }>>
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => contentsIn(operation as unknown as JSONObject, operation.operationId))
}

function contentsIn(value: JSONObject, name: string): readonly (readonly [string, JSONObject])[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    if (typeof inner !== 'object' || inner === null) return []
    if (key !== 'content') return contentsIn(inner as JSONObject, name)
    const media = Object.entries(inner as unknown as Record<string, { schema: JSONObject }>)
    return media.map(([type, { schema }]) => [`${name} ${type}`, schema] as const)
  })
}

describe('/openapi.json', () => {
  it('[surface-30] is valid by a public validator of OpenAPI 3.1', async () => {
    await using scene = await openScene()
    const document = (await (await scene.ask('/openapi.json', { token: null })).json()) as Record<string, unknown>
    const validator = new Validator()
    const { valid, errors } = await validator.validate(document)
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, '3.1'])
  })

  it('[surface-30] has no body and no answer that is left open', () => {
    const document = describeApi(surface)
    const described = contents(document)
    expect(described.length).toBeGreaterThan(200)
    const empty = described.filter(([, schema]) => schema['$ref'] === undefined && Object.keys(schema).length < 2)
    expect(empty.filter(([, schema]) => schema['anyOf'] === undefined)).toEqual([])
    expect(opaque(document, '')).toEqual([])
  })

  it('[surface-30] is refused by that validator when a part of it is wrong', async () => {
    await using scene = await openScene()
    const document = (await (await scene.ask('/openapi.json', { token: null })).json()) as {
      paths: Record<string, { post: { responses: unknown } }>
    }
    const path = document.paths['/v1/scopes/{scope}/recall']
    expect(path?.post.responses).toBeDefined()
    if (path !== undefined) path.post.responses = 'none'
    expect((await new Validator().validate(document)).valid).toBe(false)
  })
})
