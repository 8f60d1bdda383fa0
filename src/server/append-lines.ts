import { MemoryError } from '../domain/error.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { refuse } from '../domain/refuse.ts'
import { sessionOf } from './arguments.ts'
import { arriving } from './arriving.ts'
import { checkVoice } from './middleware/check-voice.ts'
import { parseJson } from './read-body.ts'
import type { Call } from './route.ts'

/** Batches are cut by lines and never by what has arrived, so that a retry has the same batches under the same names. */
const LINES_PER_BATCH = 200

interface Progress {
  appended: number
  lastSeq: number | null
  warnings: number
}

/**
 * Appends a message for each line. The next lines are read when these are stored, so a fast sender waits and nothing piles
 * up. What was stored before a bad line stays: the error says how much, and a retry with the same key goes on.
 */
export async function appendLines(call: Call): Promise<unknown> {
  const type = call.request.headers.get('content-type') ?? ''
  if (!/^application\/x-ndjson\b/.test(type)) refuse('append in bulk', 'content-type', type, 'application/x-ndjson')
  const session = sessionOf(call)
  const done: Progress = { appended: 0, lastSeq: null, warnings: 0 }
  let batch: NewMessage[] = []
  let number = 0
  const store = async (): Promise<void> => {
    if (batch.length === 0) return
    const name = call.idempotencyKey
    const stored = await session.append(batch, name === undefined ? {} : { operationId: `${name}:${number}` })
    number += 1
    done.appended += stored.length
    done.lastSeq = stored.at(-1)?.seq ?? done.lastSeq
    done.warnings += stored.warnings.length
    batch = []
  }
  try {
    for await (const line of lines(call)) {
      const message = parseJson(line, call.limits) as NewMessage
      checkVoice(call.key, { messages: message })
      batch.push(message)
      if (batch.length === LINES_PER_BATCH) await store()
    }
    await store()
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    throw new MemoryError(error.code, error.message, { ...error.details, ...done }, error)
  }
  return done
}

async function* lines(call: Call): AsyncGenerator<Uint8Array> {
  const { limits } = call
  let rest = Buffer.alloc(0)
  let size = 0
  for await (const chunk of arriving(call)) {
    size += chunk.length
    if (size > limits.bulkBytesMax) throw tooLarge('body', limits.bulkBytesMax)
    rest = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
      if (end > start) yield rest.subarray(start, end)
      start = end + 1
    }
    rest = rest.subarray(start)
    if (rest.length > limits.bodyBytesMax) throw tooLarge('line', limits.bodyBytesMax)
  }
  if (rest.length > 0) yield rest
}

function tooLarge(what: string, max: number): MemoryError {
  return new MemoryError('input/too-large', `Cannot append in bulk: the ${what} is over ${max} bytes`, { what, max })
}
