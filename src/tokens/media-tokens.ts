import type { Draft } from '../domain/message.ts'
import type { MediaPart, Part } from '../domain/part.ts'
import { readImageSize } from '../domain/image-size.ts'
import { type ImageLook, imageTokens } from './image.ts'
import type { MediaFormula } from './media-formula.ts'
import { audioTokens, fileTokens } from './media.ts'

/** Enough of a file to find its size in: what comes before it is a thumbnail of at most 64 kB. */
const IMAGE_HEAD_CHARACTERS = 88_000

/** Tokens of an image, a file or a sound, without its name and transcript. */
export function mediaTokens(part: MediaPart, formula: MediaFormula = {}): number {
  if (part.type === 'audio') return audioTokens(part, formula.audioTokensPerSecond)
  if (part.type === 'file' && !part.mediaType.startsWith('image/')) return fileTokens(part, formula.pageTokens)
  return imageTokens(lookOf(part), formula.image)
}

/** By how much a message costs a model more, or less, than it was counted with no model in mind. */
export function mediaDifference(draft: Draft, formula: MediaFormula): number {
  let difference = 0
  for (const part of mediaIn(draft)) difference += mediaTokens(part, formula) - mediaTokens(part)
  return difference
}

/** Whether everything in a message is counted as its provider counts it: not so for documents, sound and pictures of unknown size. */
export function hasExactMedia(draft: Draft, formula: MediaFormula): boolean {
  return mediaIn(draft).every((part) => isExact(part, formula))
}

/** The tokens of what is counted in a message as its provider counts it, besides its text. */
export function exactMediaTokens(draft: Draft, formula: MediaFormula): number {
  if (formula.image === undefined) return 0
  return mediaIn(draft).reduce((sum, part) => (isExact(part, formula) ? sum + mediaTokens(part, formula) : sum), 0)
}

function isExact(part: MediaPart, { image }: MediaFormula): boolean {
  if (part.type === 'audio' || (part.type === 'file' && !part.mediaType.startsWith('image/'))) return false
  const { width, height } = lookOf(part)
  return image !== undefined && (image.kind === 'fixed' || (width !== undefined && height !== undefined))
}

const NO_MEDIA: readonly MediaPart[] = []

function mediaIn({ parts }: Draft): readonly MediaPart[] {
  // Most messages have none, and a long window is looked at for each context.
  if (!parts.some(mayHaveMedia)) return NO_MEDIA
  return parts.flatMap((part: Part): readonly MediaPart[] => {
    if (part.type === 'tool-result')
      return part.output.type === 'parts' ? part.output.parts.filter((one) => one.type !== 'text') : []
    return part.type === 'image' || part.type === 'file' || part.type === 'audio' ? [part] : []
  })
}

function mayHaveMedia({ type }: Part): boolean {
  return type === 'image' || type === 'file' || type === 'audio' || type === 'tool-result'
}

function lookOf(part: Exclude<MediaPart, { type: 'audio' }>): ImageLook {
  const look: ImageLook = part.type === 'image' ? part : {}
  if (part.source.type !== 'base64' || (look.width !== undefined && look.height !== undefined)) return look
  const size = readImageSize(Buffer.from(part.source.base64.slice(0, IMAGE_HEAD_CHARACTERS), 'base64'))
  return { detail: look.detail, width: size?.width, height: size?.height }
}
