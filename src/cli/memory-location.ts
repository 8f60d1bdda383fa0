import { parseLocation } from '../opening/location.ts'

/** A file as a path, whether it was written as `agent.db` or `file:agent.db`; other locations as they are. */
export function memoryLocation(text: string): string {
  if (!/^file:/i.test(text)) return text
  const location = parseLocation('open a memory', 'memory', text)
  return location.kind === 'file' ? location.file : ':memory:'
}
