import type * as AI from 'ai'
import { CommandError } from '../exit-status.ts'
import { needed } from './needed.ts'

/** The agent loop of the AI SDK. Models of its older versions work with the library; the loop needs version 7. */
export async function loadAgentLoop(): Promise<
  Pick<typeof AI, 'ToolLoopAgent' | 'dynamicTool' | 'jsonSchema' | 'isStepCount'>
> {
  const loaded = await needed('ai', () => import('ai'))
  if ('isStepCount' in loaded && 'ToolLoopAgent' in loaded) return loaded
  throw new CommandError(
    'failed',
    'Cannot chat: the installed version of the package ai is too old, expected: npm install ai@7',
  )
}
