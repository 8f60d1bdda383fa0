import type { ImportLimits } from '../../api/imports.ts'

const MIB = 1024 * 1024

export const importLimits: ImportLimits = {
  recordBytesMax: 64 * MIB,
  conversationBytesMax: 256 * MIB,
  bytesMax: 16 * 1024 * MIB,
  filesMax: 100_000,
  ratioMax: 200,
  depthMax: 128,
}
