import { type Code, assembleModule, instructions as op, repeatWhile, sequence } from './assemble.ts'

/** Bytes of a vector that one step takes: what fits a register. */
export const BYTES_PER_STEP = 16

// Parameters: where the vectors, the query (16 bits a number), the vectors' scales and the results begin, how many vectors
// there are, and how many bytes one is long.
const [CODES, QUERY, SCALES, RESULTS, COUNT, STRIDE] = [0, 1, 2, 3, 4, 5] as const
const [END, QUERY_AT] = [6, 7] as const
const [SUM, CODE] = [8, 9] as const

/**
 * `score(codes, query, scales, results, count, stride)`: results[i] = (codes[i] · query) × scales[i], the product as whole
 * numbers and exact, the rest in 32-bit floats. At least one vector, and a stride of whole steps.
 *
 * One vector at a time: two, four and eight, sharing what is loaded of the query, were measured and are not faster. It
 * is the memory that sets the pace.
 */
export function scoreModule(): Uint8Array<ArrayBuffer> {
  return assembleModule({
    name: 'score',
    parameters: 6,
    integers: 2,
    vectors: 2,
    body: [
      repeatWhile(
        sequence(op.v128Zero, op.localSet(SUM)),
        sequence(op.localGet(QUERY), op.localSet(QUERY_AT)),
        sequence(op.localGet(CODES), op.localGet(STRIDE), op.i32Add, op.localSet(END)),
        repeatWhile(
          products(),
          advance(QUERY_AT, 2 * BYTES_PER_STEP),
          advance(CODES, BYTES_PER_STEP),
          sequence(op.localGet(CODES), op.localGet(END), op.i32LessUnsigned),
        ),
        storeResult(),
        advance(SCALES, 4),
        advance(RESULTS, 4),
        sequence(op.localGet(COUNT), op.i32Const(1), op.i32Sub, op.localTee(COUNT)),
      ),
    ],
  })
}

/** Sixteen numbers of the vector with the same sixteen of the query, added up in four lanes. */
function products(): Code {
  return sequence(
    sequence(op.localGet(CODES), op.v128Load(0), op.localTee(CODE), op.i16x8ExtendLow),
    sequence(op.localGet(QUERY_AT), op.v128Load(0), op.i32x4Dot),
    sequence(op.localGet(CODE), op.i16x8ExtendHigh),
    sequence(op.localGet(QUERY_AT), op.v128Load(BYTES_PER_STEP), op.i32x4Dot),
    sequence(op.i32x4Add, op.localGet(SUM), op.i32x4Add, op.localSet(SUM)),
  )
}

function storeResult(): Code {
  const lane = (index: number): Code => sequence(op.localGet(SUM), op.i32x4Lane(index))
  return sequence(
    op.localGet(RESULTS),
    sequence(lane(0), lane(1), op.i32Add, lane(2), op.i32Add, lane(3), op.i32Add, op.f32FromI32),
    sequence(op.localGet(SCALES), op.f32Load, op.f32Multiply),
    op.f32Store,
  )
}

function advance(local: number, bytes: number): Code {
  return sequence(op.localGet(local), op.i32Const(bytes), op.i32Add, op.localSet(local))
}
