export { type Mem0BackendOptions, type Mem0Client, mem0Backend } from './mem0-backend.ts'
