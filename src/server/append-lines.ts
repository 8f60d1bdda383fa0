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
/** Of long lines, a batch has fewer. */
const BYTES_PER_BATCH = 1024 * 1024

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
  let bytes = 0
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
    bytes = 0
  }
  try {
    for await (const line of lines(call)) {
      const message = parseJson(line, call.limits) as NewMessage
      checkVoice(call.key, { messages: message })
      batch.push(message)
      bytes += line.length
      if (batch.length === LINES_PER_BATCH || bytes >= BYTES_PER_BATCH) await store()
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
  // Joined at the end of the line: joined with each piece, a line in many small pieces would take quadratic time.
  let pieces: Uint8Array[] = []
  let length = 0
  let size = 0
  for await (const chunk of arriving(call)) {
    size += chunk.length
    if (size > limits.bulkBytesMax) throw tooLarge('body', limits.bulkBytesMax)
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      pieces.push(chunk.subarray(start, end))
      length += end - start
      if (length > 0) yield Buffer.concat(pieces, length)
      pieces = []
      length = 0
      start = end + 1
    }
    pieces.push(chunk.subarray(start))
    length += chunk.length - start
    if (length > limits.bodyBytesMax) throw tooLarge('line', limits.bodyBytesMax)
  }
  if (length > 0) yield Buffer.concat(pieces, length)
}

const NEWLINE = 10

function tooLarge(what: string, max: number): MemoryError {
  return new MemoryError('input/too-large', `Cannot append in bulk: the ${what} is over ${max} bytes`, { what, max })
}
