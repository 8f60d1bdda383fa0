import type { Role } from '../domain/message.ts'

/** How far what a role says is trusted; also the number that a passage stores for its role. */
export const roleTrust: Readonly<Record<Role, 0 | 1 | 2 | 3>> = { system: 3, user: 2, assistant: 1, tool: 0 }
