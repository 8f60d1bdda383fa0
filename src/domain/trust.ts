import type { Message, Role } from './message.ts'

/** Through whom something came in, from most to least trusted. */
export const channels = ['operator', 'user', 'agent', 'tool'] as const

export type Channel = (typeof channels)[number]

/** 3 operator, 2 user, 1 agent, 0 tools, the web and imports. What is 0 is quarantined until somebody endorses it. */
export type Trust = 0 | 1 | 2 | 3

/** Nobody can say of a fact that it comes from an import: only the importers do. */
export type SourceChannel = Channel | 'import'

export const TRUST_OF_CHANNEL: Readonly<Record<SourceChannel, Trust>> = {
  operator: 3,
  user: 2,
  agent: 1,
  tool: 0,
  import: 0,
}

/** By the role that the log stored, never by what a message says about itself. */
export const TRUST_OF_ROLE: Readonly<Record<Role, Trust>> = { system: 3, user: 2, assistant: 1, tool: 0 }

/** By what the log stored: whose words they were elsewhere gives imported ones no say here. */
export function trustOfMessage({ role, imported }: Pick<Message, 'role' | 'imported'>): Trust {
  return imported === true ? TRUST_OF_CHANNEL.import : TRUST_OF_ROLE[role]
}

/** What is made from several things is trusted like the least trusted of them; from nothing, not at all. */
export function lowestTrust(levels: readonly Trust[]): Trust {
  return levels.length === 0 ? 0 : levels.reduce((lowest, level) => (level < lowest ? level : lowest))
}

/** What several sources say independently is trusted like the best of them. */
export function highestTrust(levels: readonly Trust[]): Trust {
  return levels.reduce((highest, level) => (level > highest ? level : highest), 0 as Trust)
}
