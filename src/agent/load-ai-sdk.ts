import type * as AI from 'ai'
import { MemoryError } from '../domain/error.ts'

/** Loads the package `ai`, which its users install themselves. */
export async function loadAISDK(): Promise<Pick<typeof AI, 'streamText' | 'jsonSchema' | 'dynamicTool'>> {
  try {
    return await import('ai')
  } catch (error) {
    throw new MemoryError(
      'input/invalid',
      'Cannot call the AI SDK model: the package ai is not installed, expected: npm install ai',
      { package: 'ai' },
      error,
    )
  }
}
