export { connectMemory } from './connect-memory.ts'
export type { TransportOptions } from './transport.ts'
