import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { optionFields, withOptions } from '../../src/cli/options-from.ts'
import { callRemote } from '../../src/client/call-remote.ts'
import { Transport } from '../../src/client/transport.ts'
import type { JSONObject } from '../../src/domain/json.ts'
import { describeApi } from '../../src/server/openapi.ts'
import { anObject, mayHave } from '../../src/shape/object.ts'
import type { Fields } from '../../src/shape/shape.ts'
import { aCount } from '../../src/shape/values.ts'
import { checkCall } from '../../src/surface/check-call.ts'
import type { Operation } from '../../src/surface/operation.ts'
import { recallOperations } from '../../src/surface/recall.ts'
import { fieldsIn } from '../../src/surface/request-fields.ts'
import { inputFrom } from '../../src/tools/input-from.ts'

/** `recall.ask` with one option more, added to its description and to nothing else. */
const described = recallOperations.ask
const fields: Fields = {
  ...fieldsIn(described.options ?? aCount),
  hopsMax: mayHave(aCount, 'At most this many steps through the graph'),
}
const operation: Operation = { ...described, options: anObject<object>('RecallOptions', fields as object) }

describe('[surface-1] an option that is added to a description', () => {
  it('is accepted and checked at the door', () => {
    expect(() => checkCall(operation, 'where?', { hopsMax: 2 })).not.toThrow()
    expect(() => checkCall(operation, 'where?', { hopsMax: 0 })).toThrow(
      'Cannot recall: hopsMax is 0, expected a positive whole number',
    )
    expect(() => checkCall(operation, 'where?', { hopMax: 2 })).toThrow(
      'Cannot recall: unknown option "hopMax", did you mean "hopsMax"?',
    )
    expect(() => checkCall(described, 'where?', { hopsMax: 2 })).toThrow('unknown option "hopsMax"')
  })

  it('is in the OpenAPI document', () => {
    const document = describeApi([operation]) as {
      paths: Record<string, { post: { requestBody: { content: { 'application/json': { schema: JSONObject } } } } }>
    }
    const { schema } = document.paths[operation.path]?.post.requestBody.content['application/json'] ?? {}
    expect(schema).toMatchObject({
      properties: {
        hopsMax: { type: 'integer', minimum: 1, description: 'At most this many steps through the graph' },
      },
    })
  })

  it('is in the input schema of a tool', () => {
    expect(inputFrom(operation)).toMatchObject({ properties: { hopsMax: { type: 'integer', minimum: 1 } } })
  })

  it('is sent by the client, which refuses what the library refuses', async () => {
    const sent: unknown[] = []
    const fetch = async (request: Request): Promise<Response> => {
      sent.push(await request.json())
      return Response.json({ items: [], dropped: [] })
    }
    const transport = new Transport('http://127.0.0.1:1', { key: 'k', fetch })
    await callRemote(transport, operation, { scope: 'acme/ada' }, ['where?', { hopsMax: 2 }])
    expect(sent).toEqual([{ query: 'where?', hopsMax: 2 }])
    await expect(callRemote(transport, operation, { scope: 'a' }, ['where?', { hopsMax: 0 }])).rejects.toThrow(
      'Cannot recall: hopsMax is 0, expected a positive whole number',
    )
  })

  it('is in the help of the command', () => {
    const help = withOptions(new Command('recall'), optionFields(operation)).helpInformation()
    expect(help).toMatch(/--hops-max <n> +at most this many steps through the graph/)
  })
})
