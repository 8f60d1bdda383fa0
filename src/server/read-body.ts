import { MemoryError } from '../domain/error.ts'
import { refuse } from '../domain/refuse.ts'
import type { Limits } from './limits.ts'

type BodyLimits = Pick<Limits, 'bodyBytesMax' | 'depthMax' | 'fieldsMax'>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a body, no more than allowed: the rest is not even read. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  const announced = Number(request.headers.get('content-length') ?? 0)
  if (announced > max) throw tooLarge(announced, max)
  // HTTP holds a sender to what it announced, and taking it in one piece costs a fraction of a stream.
  if (announced > 0) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    if (bytes.length > max) throw tooLarge(bytes.length, max)
    return bytes
  }
  if (request.body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body) {
    size += chunk.length
    if (size > max) throw tooLarge(size, max)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
}

/** A body as JSON. Levels, fields and values are counted before it is parsed: they cost far more than the bytes they take. */
export function parseJson(bytes: Uint8Array, limits: BodyLimits): unknown {
  checkShape(bytes, limits)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    refuse('read the request', 'body', bytes.length, 'JSON in UTF-8')
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a

/** A field is a name and mostly a text, a list or an object. Numbers cost nearly nothing. */
const VALUES_PER_FIELD = 2

function checkShape(bytes: Uint8Array, { depthMax, fieldsMax }: BodyLimits): void {
  const valuesMax = fieldsMax * VALUES_PER_FIELD
  let depth = 0
  let fields = 0
  let values = 0
  let quoted = false
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (quoted) {
      if (byte === BACKSLASH) index++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) {
      quoted = true
      if (++values > valuesMax) throw tooComplex('texts, lists and objects', values, valuesMax)
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++values > valuesMax) throw tooComplex('texts, lists and objects', values, valuesMax)
      if (++depth > depthMax) throw tooComplex('levels', depth, depthMax)
    } else if (byte === 0x7d || byte === 0x5d) depth--
    else if (byte === COLON && ++fields > fieldsMax) throw tooComplex('fields', fields, fieldsMax)
  }
}

export function tooLarge(received: number, max: number): MemoryError {
  return new MemoryError(
    'input/too-large',
    `Cannot read the request: found ${received} bytes, expected at most ${max}`,
    {
      received,
      max,
    },
  )
}

function tooComplex(what: string, received: number, max: number): MemoryError {
  return new MemoryError(
    'input/too-large',
    `Cannot read the request: found more than ${max} ${what}, expected no more`,
    {
      what,
      received,
      max,
    },
  )
}
