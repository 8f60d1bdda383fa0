/**
 * The part of the host that is used here. The host is installed by its users, and by the tests that run against it; what is published
 * names the types of the real package.
 */
declare module '@anthropic-ai/claude-agent-sdk' {
  export type SessionKey = { projectKey: string; sessionId: string; subpath?: string }
  export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [field: string]: unknown }
  export type SessionSummaryEntry = { sessionId: string; mtime: number; data: Record<string, unknown> }
  export function foldSessionSummary(
    before: SessionSummaryEntry | undefined,
    key: SessionKey,
    entries: SessionStoreEntry[],
    options?: { mtime?: number },
  ): SessionSummaryEntry
}
