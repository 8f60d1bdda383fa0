import type { Verb } from '../../domain/key.ts'
import type { Channel } from '../../domain/trust.ts'
import type { Scope } from '../../api/scope.ts'
import type { LongTermScope } from '../../tools/long-term-scope.ts'
import { throwingMemoryTools } from '../../tools/memory-tools.ts'
import { readingTools } from '../../tools/reading-tools.ts'
import type { McpTool } from './mcp-tool.ts'

/** Those that only read are not here. */
const CHANGES: Readonly<Record<string, Verb>> = { record_to_memory: 'propose', retract: 'write', forget: 'write' }

export interface McpToolOptions {
  readonly scope: Scope
  readonly session: string
  /** Tokens that an answer may have. */
  readonly budget: number
  /** Where notes come from. A key that may only propose is trusted less than an agent. */
  readonly channel: Extract<Channel, 'agent' | 'tool'>
  /** Offer `forget`, which destroys. */
  readonly allowDestroy: boolean
}

/**
 * Daybook's own tools. None appends messages: the log trusts a message as it trusts its role, and a model must not be able to
 * speak for its user.
 */
export function daybookTools({ scope, session, budget, channel, allowDestroy }: McpToolOptions): readonly McpTool[] {
  const noted: LongTermScope = {
    recall: (query, options) => scope.recall(query, options),
    remember: (facts) => scope.remember(facts, { channel }),
    retract: (id, reason) => scope.retract(id, reason, { channel }),
    forget: (what) => scope.forget(what),
    session: (id) => scope.session(id),
  }
  const tools = [
    ...throwingMemoryTools({ scope: noted, session, budget, allowDestroy }),
    ...readingTools({ scope, session, budget }),
  ]
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
