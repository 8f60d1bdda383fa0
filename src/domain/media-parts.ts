import type { MediaPart, Part } from './part.ts'

/** Every image, file and sound of a message, those inside tool results included. */
export function mediaParts(parts: readonly Part[]): readonly MediaPart[] {
  return parts.flatMap((part) => {
    if (part.type === 'tool-result') return part.output.type === 'parts' ? mediaParts(part.output.parts) : []
    return 'source' in part ? [part] : []
  })
}

/** The hashes of stored bytes that a message points to. */
export function blobHashes(parts: readonly Part[]): readonly string[] {
  return mediaParts(parts).flatMap((part) => (part.source.type === 'blob' ? [part.source.hash] : []))
}
