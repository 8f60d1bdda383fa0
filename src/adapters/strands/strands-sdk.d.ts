/**
 * The part of the host that is used here. The host is installed by its users, and by the tests that run against it; what is published
 * names the types of the real package.
 */
declare module '@strands-agents/sdk' {
  export type JSONValue = string | number | boolean | null | { [key: string]: JSONValue } | JSONValue[]
  export interface MemoryEntry {
    content: string
    storeName?: string
    metadata?: Record<string, JSONValue>
  }
  export interface MessageData {
    role: 'user' | 'assistant'
    content: object[]
    trackingId?: string
  }
  export interface AddMessagesContext {
    readonly sequenceNumbers?: readonly number[]
  }
  export interface ExtractionConfig {
    readonly trigger?: unknown
  }
  export type SnapshotLocation = { sessionId: string; scope: 'agent' | 'multiAgent'; scopeId: string }
  export interface Snapshot {
    scope: 'agent' | 'multiAgent'
    schemaVersion: string
    createdAt: string
    data: Record<string, JSONValue>
    appData: Record<string, JSONValue>
  }
  export interface SnapshotManifest {
    schemaVersion: string
    updatedAt: string
  }
}
