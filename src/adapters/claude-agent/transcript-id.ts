import type { SessionKey } from '@anthropic-ai/claude-agent-sdk'
import { defined } from '../../domain/defined.ts'

/** The id of the session that has a transcript: project, session and subpath, each encoded so that slashes only part them. */
export function transcriptId({ projectKey, sessionId, subpath }: SessionKey): string {
  return [projectKey, sessionId, ...(subpath === undefined ? [] : [subpath])].map(encodeURIComponent).join('/')
}

/** Which transcript a session has; `undefined` if it is not one. */
export function readTranscriptId(id: string): SessionKey | undefined {
  const [projectKey, sessionId, subpath, ...more] = id.split('/').map((name) => decodeURIComponent(name))
  if (projectKey === undefined || sessionId === undefined || more.length > 0) return undefined
  return { projectKey, sessionId, ...defined({ subpath }) }
}
