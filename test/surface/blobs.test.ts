import fc from 'fast-check'
import { expect, it } from 'vitest'
import { MemoryError } from '../../src/domain/error.ts'
import { blobHashes } from '../../src/domain/media-parts.ts'
import type { Draft } from '../../src/domain/message.ts'
import { checkCall } from '../../src/surface/check-call.ts'
import { messageOperations } from '../../src/surface/messages.ts'

const source = fc.record({ type: fc.constant('blob'), hash: fc.jsonValue() }, { requiredKeys: ['type'] })
const part = fc.dictionary(
  fc.constantFrom('type', 'source', 'output', 'parts', 'hash'),
  fc.oneof(fc.jsonValue(), source),
  { maxKeys: 3 },
)
const output = fc.record({ type: fc.constantFrom('parts', 'text', 1), parts: fc.oneof(fc.jsonValue(), fc.array(part)) })
const messages = fc.oneof(
  fc.jsonValue(),
  fc.array(
    fc.record({
      parts: fc.array(
        fc.oneof(
          fc.jsonValue(),
          part,
          fc.record({ type: fc.constant('tool-result'), output: fc.oneof(output, fc.jsonValue()) }),
        ),
      ),
    }),
  ),
)

it('[serve-4] messages whose media are asked for are refused at the door, or their media can be looked for', () => {
  fc.assert(
    fc.property(messages, (given) => {
      try {
        checkCall(messageOperations.blobs, given)
      } catch (error) {
        expect(MemoryError.is(error, 'input/invalid')).toBe(true)
        return
      }
      for (const hash of (given as unknown as readonly Draft[]).flatMap(({ parts }) => blobHashes(parts)))
        expect(hash).toBeTypeOf('string')
    }),
  )
})
