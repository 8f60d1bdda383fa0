const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const POOL_BYTES = 4_096
const RANDOM_BYTES = 8

/**
 * Makes UUIDv7 ids (RFC 9562) that rise strictly within one process, also when the clock stands still or steps back:
 * 12 bits after the time are a counter, and its overflow borrows from the next millisecond.
 */
export function uuid7Maker(now: () => number, random: (bytes: number) => Uint8Array): () => string {
  let pool = random(POOL_BYTES)
  let used = 0
  let time = 0
  let counter = 0
  return () => {
    if (used + RANDOM_BYTES > pool.length) {
      pool = random(POOL_BYTES)
      used = 0
    }
    const current = Math.max(0, now())
    if (current > time) {
      time = current
      counter = ((pool[used] ?? 0) << 2) & 0x3ff
    } else if (++counter > 0xfff) {
      time += 1
      counter = 0
    }
    const id = format(time, counter, pool, used)
    used += RANDOM_BYTES
    return id
  }
}

function format(time: number, counter: number, pool: Uint8Array, offset: number): string {
  const hex = (byte: number): string => HEX[byte & 0xff] ?? '00'
  const at = (index: number): number => pool[offset + index] ?? 0
  const high = Math.floor(time / 0x1_0000_0000)
  return (
    `${hex(high >>> 8)}${hex(high)}${hex(time >>> 24)}${hex(time >>> 16)}-${hex(time >>> 8)}${hex(time)}-` +
    `${hex(0x70 | (counter >>> 8))}${hex(counter)}-${hex(0x80 | (at(0) & 0x3f))}${hex(at(1))}-` +
    `${hex(at(2))}${hex(at(3))}${hex(at(4))}${hex(at(5))}${hex(at(6))}${hex(at(7))}`
  )
}
