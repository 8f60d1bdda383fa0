export { DaybookMemoryService } from './daybook-memory-service.ts'
export { DaybookSessionService } from './daybook-session-service.ts'
export type { AdkMemoryOptions } from './user-scope.ts'
