const MIB = 1024 * 1024

/** How large records may be. */
export const recordLimits: Readonly<Record<'partBytes' | 'jsonBytes' | 'contentBytes' | 'batchBytes', number>> = {
  /** A larger content is stored in parts of this size. */
  partBytes: MIB,
  jsonBytes: 4 * MIB,
  contentBytes: 64 * MIB,
  /** Contents of a batch that travel with it; beyond, each goes before it in parts. */
  batchBytes: 2 * MIB,
}
