import { defined } from '../domain/defined.ts'
import { recordAttributes } from './record-attributes.ts'

/** The part of `@opentelemetry/api` that is used: it is an optional peer, and a program without it loads nothing. */
export interface Tracer {
  startSpan(
    name: string,
    options: { readonly kind: number; readonly attributes: Readonly<Record<string, string | number>> },
  ): Span
}

interface Span {
  setAttribute(name: string, value: string | number): unknown
  setStatus(status: { readonly code: number }): unknown
  end(): void
}

const INTERNAL = 0
const ERROR = 2

/** Names of the GenAI memory conventions (in development as of 2026); they are in no package of constants yet. */
const MEMORY_OPERATIONS: Readonly<Record<string, string>> = {
  'messages.append': 'create_memory',
  'messages.bulk': 'create_memory',
  'messages.revise': 'update_memory',
  'messages.remove': 'delete_memory',
  'messages.search': 'search_memory',
  'recall.ask': 'search_memory',
  'facts.remember': 'upsert_memory',
  'facts.list': 'search_memory',
  'facts.retract': 'update_memory',
  'facts.forget': 'delete_memory',
}

/** What a span is told when a request is over. `value` has content: it is looked at only by who asked for that. */
export interface SpanEnd {
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown
  readonly value: unknown
}

/** A tracer, and whether spans may have in them what was said (`OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`). */
export interface Telemetry {
  readonly tracer: Tracer
  readonly content: boolean
}

/** Begins a span; what is returned ends it. Ids and counts; content only where somebody opted in. */
export function beginSpan(
  telemetry: Telemetry | undefined,
  name: string,
  { scope, session }: { readonly scope: string | undefined; readonly session: string | undefined },
): (end: SpanEnd) => void {
  if (telemetry === undefined) return () => undefined
  const operation = MEMORY_OPERATIONS[name]
  const span = telemetry.tracer.startSpan(operation ?? `daybook ${name}`, {
    kind: INTERNAL,
    attributes: {
      ...defined({ 'gen_ai.operation.name': operation }),
      'gen_ai.provider.name': 'daybook',
      ...(scope === undefined ? {} : { 'gen_ai.memory.store.id': scope, 'daybook.scope': scope }),
      ...defined({ 'gen_ai.conversation.id': session }),
      'daybook.operation': name,
    },
  })
  return ({ status, code, body, value }) => {
    span.setAttribute('http.response.status_code', status)
    if (code !== undefined) span.setAttribute('error.type', code)
    if (status >= 500) span.setStatus({ code: ERROR })
    if (operation !== undefined)
      for (const [attribute, told] of Object.entries(recordAttributes(body, value, telemetry.content)))
        span.setAttribute(attribute, told)
    span.end()
  }
}

/** The tracer of whoever set one up; `undefined` where the package is not installed. */
export async function loadTracer(): Promise<Tracer | undefined> {
  try {
    const { trace } = await import('@opentelemetry/api')
    return trace.getTracer('daybook') as unknown as Tracer
  } catch {
    return undefined
  }
}
