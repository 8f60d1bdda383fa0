import type { JSONObject } from '../../domain/json.ts'
import type { Verb } from '../../domain/key.ts'

/** What a tool found or did, once for a model to read and once for a program. */
export interface McpAnswer {
  readonly text: string
  readonly structured?: JSONObject
}

/** A tool that is offered over MCP. */
export interface McpTool {
  readonly name: string
  readonly description: string
  /** What a key must be allowed: a tool that it may not use is not shown to it. */
  readonly can: Verb
  /** Takes away what is there. @default false */
  readonly destructive?: boolean
  /** Errors are shown without their codes. @default false */
  readonly plainErrors?: boolean
  readonly inputSchema: JSONObject
  readonly outputSchema?: JSONObject
  /** @throws {MemoryError} what is told to the model. */
  execute(input: unknown): Promise<McpAnswer>
  /** The same for a key that may not read: says nothing of what is stored. Such a key is shown no tool without it. */
  readonly blind?: McpTool['execute']
}
