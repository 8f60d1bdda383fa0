import type { Verb } from '../../domain/key.ts'
import type { Channel } from '../../domain/trust.ts'
import type { Scope } from '../../api/scope.ts'
import type { LongTermScope } from '../../tools/long-term-scope.ts'
import { throwingMemoryTools } from '../../tools/memory-tools.ts'
import { readingTools } from '../../tools/reading-tools.ts'
import type { McpTool } from './mcp-tool.ts'

/** Those that only read are not here. */
const CHANGES: Readonly<Record<string, Verb>> = { record_to_memory: 'propose', forget: 'write' }

export interface McpToolOptions {
  readonly scope: Scope
  readonly session: string
  /** Tokens that an answer may have. */
  readonly budget: number
  /** Through whom notes come; a key that may only propose stands for less than an agent. */
  readonly channel: Extract<Channel, 'agent' | 'tool'>
}

/**
 * Daybook's own tools. There is none that appends messages: what the log has under a role is trusted as that role is, and a
 * model must not be able to speak for its user.
 */
export function daybookTools({ scope, session, budget, channel }: McpToolOptions): readonly McpTool[] {
  const noted: LongTermScope = {
    recall: (query, options) => scope.recall(query, options),
    remember: (facts) => scope.remember(facts, { channel }),
    forget: (what) => scope.forget(what),
    session: (id) => scope.session(id),
  }
  const tools = [...throwingMemoryTools({ scope: noted, session, budget }), ...readingTools({ scope, session, budget })]
  return tools.map(({ execute, ...tool }) => ({
    ...tool,
    can: CHANGES[tool.name] ?? 'read',
    destructive: tool.name === 'forget',
    execute: async (input) => ({ text: await execute(input) }),
    // Its first line is a count.
    ...(tool.name === 'record_to_memory' && {
      blind: async (input) => ({ text: (await execute(input)).split(':\n')[0] ?? '' }),
    }),
  }))
}
