import { anywherePromises } from './requirements/anywhere.ts'
import { contextsPromises } from './requirements/contexts.ts'
import { hostsPromises } from './requirements/hosts.ts'
import { inspectorPromises } from './requirements/inspector.ts'
import { keepingPromises } from './requirements/keeping.ts'
import { knowledgePromises } from './requirements/knowledge.ts'
import { logPromises } from './requirements/log.ts'
import { messagesPromises } from './requirements/messages.ts'
import { postgresPromises } from './requirements/postgres.ts'
import { recallPromises } from './requirements/recall.ts'
import { repositoryPromises } from './requirements/repository.ts'
import { serverPromises } from './requirements/server.ts'
import { surfacePromises } from './requirements/surface.ts'
import { tokensPromises } from './requirements/tokens.ts'
import { wallsPromises } from './requirements/walls.ts'
import { windowsPromises } from './requirements/windows.ts'
import { wordsPromises } from './requirements/words.ts'

/** One promise of the project, cited as `[id]` in the title of at least one test or benchmark. */
export interface Requirement {
  readonly id: string
  readonly sentence: string
}

export const requirements: readonly Requirement[] = [
  ...repositoryPromises,
  ...messagesPromises,
  ...logPromises,
  ...tokensPromises,
  ...windowsPromises,
  ...knowledgePromises,
  ...serverPromises,
  ...postgresPromises,
  ...keepingPromises,
  ...surfacePromises,
  ...wallsPromises,
  ...contextsPromises,
  ...recallPromises,
  ...anywherePromises,
  ...hostsPromises,
  ...inspectorPromises,
  ...wordsPromises,
].map(([id, sentence]) => ({ id, sentence }))
