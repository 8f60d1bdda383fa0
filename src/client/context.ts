import type { Context, ContextCache, ContextOptions, ContextReceipt } from '../api/contexts.ts'
import { withCacheMarks } from '../context/assembly/cache.ts'
import { inDialect } from '../context/assembly/in-dialect.ts'
import { fromBase64 } from '../domain/from-base64.ts'
import type { Draft } from '../domain/message.ts'
import { utf8Length } from '../domain/utf8-length.ts'
import type { RecallItem } from '../api/recall.ts'

/** A context as it travels: what `as` needs comes along. */
export interface WireContext {
  readonly messages: readonly Draft[]
  readonly tokens: number
  readonly receipt: ContextReceipt
  readonly cache: ContextCache
  readonly recalled: readonly RecallItem[]
  readonly rebuilt?: true
  readonly blobs: Readonly<Record<string, string>>
}

/** The context again, put into dialects here. */
export function contextFrom({ blobs, ...wire }: WireContext, { model, bytes }: ContextOptions): Context {
  const { messages, cache } = wire
  const byHash = new Map(Object.entries(blobs).map(([hash, text]) => [hash, fromBase64(text)]))
  return {
    ...wire,
    as: (dialect, { cacheMarks = false } = {}) => {
      const marked = cacheMarks ? withCacheMarks(messages, cache.breakpoints) : messages
      const written = inDialect(marked, dialect, byHash, model)
      const tooLong = cacheMarks && bytes?.dialect === dialect && utf8Length(JSON.stringify(written)) > bytes.max
      return tooLong ? inDialect(messages, dialect, byHash, model) : written
    },
  }
}
