import { MemoryError } from '../../domain/error.ts'
import type { AnyShape } from '../../shape/shape.ts'

/**
 * Checks the input of a tool and refuses it in the words of the reference memory server, which names everything that is wrong.
 *
 * @throws {MemoryError} `input/invalid`
 */
export function checkReferenceInput(tool: string, shape: AnyShape, input: unknown): void {
  const issues = [...issuesIn(shape, '', input)]
  if (issues.length === 0) return
  const text = `MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: ${issues.join('\n')}`
  throw new MemoryError('input/invalid', text, { tool, issues })
}

/** Only these kinds are in the inputs of its tools. */
function* issuesIn({ form }: AnyShape, path: string, value: unknown): Generator<string> {
  const found = typeOf(value)
  const wanted = form.kind === 'list' ? 'array' : form.kind === 'text' ? 'string' : 'object'
  if (found !== wanted) yield `Invalid input: expected ${wanted}, received ${found} at ${path}`
  else if (form.kind === 'list')
    for (const [index, item] of (value as readonly unknown[]).entries())
      yield* issuesIn(form.item(), `${path}[${index}]`, item)
  else if (form.kind === 'object')
    for (const [name, { shape }] of Object.entries(form.fields))
      yield* issuesIn(shape, path === '' ? name : `${path}.${name}`, (value as Readonly<Record<string, unknown>>)[name])
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
