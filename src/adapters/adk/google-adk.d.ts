/**
 * The part of the host that is used here. The host is installed by its users, and by the tests that run against it; what is published
 * names the types of the real package.
 */
declare module '@google/adk' {
  export interface Content {
    role?: string
    parts?: { text?: string; [field: string]: unknown }[]
  }
  export interface Event {
    id: string
    invocationId: string
    author?: string
    timestamp: number
    partial?: boolean
    content?: Content
    actions: { stateDelta: Record<string, unknown>; [field: string]: unknown }
    [field: string]: unknown
  }
  export interface Session {
    id: string
    appName: string
    userId: string
    state: Record<string, unknown>
    events: Event[]
    lastUpdateTime: number
  }
  export interface CompositeSessionKey {
    appName: string
    userId: string
    sessionId: string
  }
  export interface CreateSessionRequest {
    appName: string
    userId: string
    state?: Record<string, unknown>
    sessionId?: string
  }
  export interface GetSessionRequest extends CompositeSessionKey {
    config?: { numRecentEvents?: number; afterTimestamp?: number }
  }
  export interface ListSessionsRequest {
    appName: string
    userId?: string
    limit?: number
    offset?: number
    page?: number
    order?: 'asc' | 'desc'
  }
  export interface ListSessionsResponse {
    sessions: Session[]
    page: number
    limit: number
    totalItems: number
    totalPages: number
  }
  export type DeleteSessionRequest = CompositeSessionKey
  export interface AppendEventRequest {
    session: Session
    event: Event
  }
  export abstract class BaseSessionService {
    abstract createSession(request: CreateSessionRequest): Promise<Session>
    abstract getSession(request: GetSessionRequest): Promise<Session | undefined>
    abstract listSessions(request: ListSessionsRequest): Promise<ListSessionsResponse>
    abstract deleteSession(request: DeleteSessionRequest): Promise<void>
    appendEvent(request: AppendEventRequest): Promise<Event>
  }
  export interface MemoryEntry {
    content: Content
    author?: string
    timestamp?: string
  }
  export interface SearchMemoryRequest {
    appName: string
    userId: string
    query: string
  }
  export interface SearchMemoryResponse {
    memories: MemoryEntry[]
  }
}
