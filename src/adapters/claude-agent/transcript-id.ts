import type { SessionKey } from '@anthropic-ai/claude-agent-sdk'
import { defined } from '../../domain/defined.ts'

/** The id of the session that has a transcript: project, session and subpath, each encoded so that slashes only part them. */
export function transcriptId({ projectKey, sessionId, subpath }: SessionKey): string {
  return [projectKey, sessionId, ...(subpath === undefined ? [] : [subpath])].map(encodeURIComponent).join('/')
}

/** Which transcript a session has; `undefined` if it is not one. */
export function readTranscriptId(id: string): SessionKey | undefined {
  const names = id.split('/').map(decoded)
  if (!names.every((name) => name !== undefined)) return undefined
  const [projectKey, sessionId, subpath, ...more] = names
  if (projectKey === undefined || sessionId === undefined || more.length > 0) return undefined
  return { projectKey, sessionId, ...defined({ subpath }) }
}

/** Sessions of other programs may have any id. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
