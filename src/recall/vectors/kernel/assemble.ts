/** Bytes of WebAssembly: opcodes by the names of its text format, and the sections of a module (https://webassembly.github.io/spec/core/binary). */
export type Code = readonly number[]

const MAGIC: Code = [0x00, 0x61, 0x73, 0x6d] // "\0asm"
const VERSION: Code = [0x01, 0x00, 0x00, 0x00]
const I32 = 0x7f
const V128 = 0x7b
const SIMD = 0xfd
/** A block, loop or branch that leaves nothing on the stack. */
const EMPTY = 0x40
const END = 0x0b

export const instructions = {
  localGet: (local: number): Code => [0x20, ...unsigned(local)],
  localSet: (local: number): Code => [0x21, ...unsigned(local)],
  localTee: (local: number): Code => [0x22, ...unsigned(local)],
  i32Const: (value: number): Code => [0x41, ...signed(value)],
  i32Add: [0x6a] as Code,
  i32Sub: [0x6b] as Code,
  i32LessUnsigned: [0x49] as Code,
  f32Load: [0x2a, ...memory(2, 0)] as Code,
  f32Store: [0x38, ...memory(2, 0)] as Code,
  f32FromI32: [0xb2] as Code,
  f32Multiply: [0x94] as Code,
  v128Load: (offset: number): Code => [...simd(0x00), ...memory(4, offset)],
  v128Zero: [...simd(0x0c), ...Array.from({ length: 16 }, () => 0)] as Code,
  i16x8ExtendLow: simd(0x87) as Code,
  i16x8ExtendHigh: simd(0x88) as Code,
  i32x4Dot: simd(0xba) as Code,
  i32x4Add: simd(0xae) as Code,
  i32x4Lane: (lane: number): Code => [...simd(0x1b), lane],
} as const

export function sequence(...codes: readonly Code[]): Code {
  return codes.flat()
}

/** Runs its body, and again whenever the condition that its body leaves behind is not 0. */
export function repeatWhile(...body: readonly Code[]): Code {
  return [0x03, EMPTY, ...body.flat(), 0x0d, 0, END]
}

export interface Procedure {
  readonly name: string
  /** Parameters, all whole numbers: locals 0, 1, … */
  readonly parameters: number
  /** More locals after them: first whole numbers, then vectors. */
  readonly integers: number
  readonly vectors: number
  readonly body: readonly Code[]
}

/** A module with one procedure, working in a memory that is imported as `host.memory`. */
export function assembleModule(procedure: Procedure): Uint8Array<ArrayBuffer> {
  const { name, parameters, integers, vectors, body } = procedure
  const type = [0x60, ...list(Array.from({ length: parameters }, () => [I32])), ...list([])]
  const imported = [...text('host'), ...text('memory'), 0x02, 0x00, ...unsigned(1)]
  const locals = list([
    [...unsigned(integers), I32],
    [...unsigned(vectors), V128],
  ])
  const code = [...locals, ...body.flat(), END]
  return Uint8Array.from([
    ...MAGIC,
    ...VERSION,
    ...section(1, list([type])),
    ...section(2, list([imported])),
    ...section(3, list([unsigned(0)])),
    ...section(7, list([[...text(name), 0x00, ...unsigned(0)]])),
    ...section(10, list([sized(code)])),
  ])
}

function section(id: number, content: Code): Code {
  return [id, ...sized(content)]
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content]
}

function list(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()]
}

function text(name: string): Code {
  return sized([...new TextEncoder().encode(name)])
}

function simd(opcode: number): Code {
  return [SIMD, ...unsigned(opcode)]
}

/** Alignment as a power of two, which is a hint, and an offset to the address on the stack. */
function memory(alignment: number, offset: number): Code {
  return [...unsigned(alignment), ...unsigned(offset)]
}

/** LEB128: seven bits a byte, lowest first, the eighth says that more follow. */
function unsigned(value: number): Code {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>>= 7
  } while (rest !== 0)
  return bytes
}

/** The same in two's complement: ends when the rest is only the sign. */
function signed(value: number): Code {
  const bytes: number[] = []
  let rest = value
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    const last = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
    bytes.push(last ? low : low | 0x80)
    if (last) return bytes
  }
}
