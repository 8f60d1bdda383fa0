import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { openScene } from '../server/scene.ts'

describe('/openapi.json', () => {
  it('[surface-30] is valid by a public validator of OpenAPI 3.1', async () => {
    await using scene = await openScene()
    const document = (await (await scene.ask('/openapi.json', { token: null })).json()) as Record<string, unknown>
    const validator = new Validator()
    const { valid, errors } = await validator.validate(document)
    expect(errors).toBeUndefined()
    expect([valid, validator.version]).toEqual([true, '3.1'])
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
