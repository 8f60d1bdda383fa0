export { connectMemory } from './connect-memory.ts'
export type { ConnectOptions } from './connect-with.ts'
