/** What one caller may cost the others. Bytes of bodies, counts, and times in milliseconds. */
export interface Limits {
  /** @default 4 MiB */
  readonly bodyBytesMax: number
  /** Of a bulk append, which is streamed. @default 64 MiB */
  readonly bulkBytesMax: number
  /** Of a file to import. @default 1 GiB */
  readonly fileBytesMax: number
  /** @default 64 */
  readonly depthMax: number
  /** Names in all objects of a body. @default 100,000 */
  readonly fieldsMax: number
  /** How long a request may take to arrive, a streamed one to bring its next piece, and a client to read. @default 30 s */
  readonly requestMs: number
  /** How long a streamed upload (an archive, a bulk append) may take in all. @default 6 h */
  readonly uploadMs: number
  /** How long an answer may take. @default 60 s */
  readonly answerMs: number
  /** Requests of a key in a second, and how many may come at once. @default 5,000 */
  readonly ratePerSecond: number
  /**
   * Requests of a key that are worked on together. Other requests than appends have fewer places while the server is busy, and so
   * have all while other keys are active. @default 64
   */
  readonly runningPerKey: number
  /** How many more requests of a key may wait; the next is refused. @default 64 */
  readonly waitingPerKey: number
  /** Streams (watches) of a key. @default 100 */
  readonly streamsPerKey: number
  /** Wrong keys from one address in a second. @default 20 */
  readonly wrongKeysPerSecond: number
  /** Connections that may be open. Where there are more, the one that has been idle longest is closed. @default 1,024 */
  readonly connectionsMax: number
  /** Connections of one address that have no request; not counted behind a proxy. @default 256 */
  readonly idlePerAddress: number
}

const MIB = 1024 * 1024

export const limitDefaults: Limits = {
  bodyBytesMax: 4 * MIB,
  bulkBytesMax: 64 * MIB,
  fileBytesMax: 1_024 * MIB,
  depthMax: 64,
  fieldsMax: 100_000,
  requestMs: 30_000,
  uploadMs: 6 * 60 * 60 * 1_000,
  answerMs: 60_000,
  ratePerSecond: 5_000,
  runningPerKey: 64,
  waitingPerKey: 64,
  streamsPerKey: 100,
  wrongKeysPerSecond: 20,
  connectionsMax: 1_024,
  idlePerAddress: 256,
}
