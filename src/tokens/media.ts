import type { AudioPart, FilePart, MediaSource } from '../domain/part.ts'

/** Anthropic: 1,500 to 3,000 tokens of text a page, and the page as an image (at most 1,600). Gemini: 258 to 560. */
const PAGE_TOKENS = 4_600
/** A rule of thumb: a page of text in a PDF is 15 to 60 kB, a scanned one 100 kB and more. */
const PAGE_BYTES = 30_000
/** Anthropic refuses longer documents for models with 200,000 tokens; counting on would only say "does not fit". */
const PAGES_MAX = 100
/** What a file behind a URL is taken for: ten pages. */
const UNKNOWN_FILE_BYTES = 300_000
/** Text of any language is under 0.4 tokens a byte, but for blobs inside it. */
const TEXT_TOKENS_PER_BYTE = 0.4

/** Gemini: 32 tokens a second. OpenAI: 10 for what is heard, 20 for what is spoken. */
const AUDIO_TOKENS_PER_SECOND = 32
/** 8 kHz, 16 bits, one channel: the slowest uncompressed speech in use. */
const PCM_BYTES_PER_SECOND = 16_000
/** 16 kbit/s: compressed speech rarely has less. */
const COMPRESSED_BYTES_PER_SECOND = 2_000
/** What a recording behind a URL is taken for. */
const UNKNOWN_AUDIO_SECONDS = 60

/** A file that is neither an image nor audio: by its pages or, as an upper bound, by its bytes. */
export function fileTokens(
  { source, mediaType, pages }: Pick<FilePart, 'source' | 'mediaType' | 'pages'>,
  pageTokens: number = PAGE_TOKENS,
): number {
  const bytes = bytesOf(source) ?? UNKNOWN_FILE_BYTES
  // Also if it says that it has pages: all of a text is sent.
  if (isText(mediaType)) return Math.ceil(bytes * TEXT_TOKENS_PER_BYTE)
  if (pages !== undefined) return pages * pageTokens
  return pageTokens * Math.min(PAGES_MAX, Math.max(1, Math.ceil(bytes / PAGE_BYTES)))
}

/** By its seconds or, as an upper bound, by the longest that this many bytes can play. */
export function audioTokens(
  { source, mediaType, seconds }: Pick<AudioPart, 'source' | 'mediaType' | 'seconds'>,
  perSecond: number = AUDIO_TOKENS_PER_SECOND,
): number {
  if (seconds !== undefined) return Math.max(1, Math.ceil(seconds * perSecond))
  const bytes = bytesOf(source)
  if (bytes === undefined) return UNKNOWN_AUDIO_SECONDS * perSecond
  const rate = /wav|pcm|l16/i.test(mediaType) ? PCM_BYTES_PER_SECOND : COMPRESSED_BYTES_PER_SECOND
  return Math.max(1, Math.ceil((bytes / rate) * perSecond))
}

function isText(mediaType: string): boolean {
  return (
    mediaType.startsWith('text/') ||
    /^application\/(?:[^;]*\+)?(?:json|xml|yaml|javascript|x-ndjson|sql)/.test(mediaType)
  )
}

function bytesOf(source: MediaSource): number | undefined {
  if (source.type === 'blob') return Math.max(0, source.bytes)
  if (source.type === 'base64') return Math.ceil((source.base64.length * 3) / 4)
  return undefined
}
