const MIB = 1024 * 1024

/** What an import may cost, whatever stands in its files. */
export interface ImportLimits {
  /** Bytes of one record: a line, or an item of a list. What is longer is passed over without being held. @default 64 MiB */
  readonly recordBytesMax: number
  /** Bytes of records that belong to one conversation, where a file is one. @default 256 MiB */
  readonly conversationBytesMax: number
  /** Bytes read in all, after unpacking. @default 16 GiB */
  readonly bytesMax: number
  /** Files of a folder, entries of a zip. @default 100,000 */
  readonly filesMax: number
  /** How much larger an entry of a zip may be than it is packed. @default 200 */
  readonly ratioMax: number
  /** Levels of lists and objects in a record. @default 128 */
  readonly depthMax: number
}

export const importLimits: ImportLimits = {
  recordBytesMax: 64 * MIB,
  conversationBytesMax: 256 * MIB,
  bytesMax: 16 * 1024 * MIB,
  filesMax: 100_000,
  ratioMax: 200,
  depthMax: 128,
}
