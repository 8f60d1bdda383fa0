import type { JSONObject } from '../../domain/json.ts'
import { isObject } from './json.ts'

/**
 * Where half-written arguments go in dialects that want an object. The AI SDK's Anthropic provider uses this key;
 * the raw text under it loses nothing.
 */
const RAW_ARGUMENTS_KEY = 'rawInvalidInput'

/** The object that the text of arguments stands for, or nothing when it is half-written or no object. */
export function parseArguments(text: string): JSONObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Arguments as an object, whatever they were. */
export function argumentsObject(text: string): JSONObject {
  return parseArguments(text) ?? (text.trim() === '' ? {} : { [RAW_ARGUMENTS_KEY]: text })
}

/** Arguments as the text of an object: unchanged when they are one. */
export function argumentsText(text: string): string {
  return parseArguments(text) === undefined ? JSON.stringify(argumentsObject(text)) : text
}
