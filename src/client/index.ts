export { type ConnectOptions, connectMemory } from './connect-memory.ts'
