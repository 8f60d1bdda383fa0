export { AgentSession, type AgentSessionOptions, type HistoryTransaction } from './agent-session.ts'
