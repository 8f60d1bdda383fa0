/**
 * A real model for the examples: any OpenAI-compatible address. Set DAYBOOK_BASE_URL, DAYBOOK_MODEL and, if the address wants a key,
 * DAYBOOK_API_KEY. Without an address, each example plays its part with a script.
 */
import process from 'node:process'
import { type TurnModelFunction, fromOpenAI } from '../src/index.ts'

export function realModel(): TurnModelFunction | undefined {
  const { DAYBOOK_BASE_URL: address, DAYBOOK_MODEL: model, DAYBOOK_API_KEY: key = 'none' } = process.env
  if (address === undefined || address === '') return undefined
  return async ({ context, tools, signal }) => {
    const response = await fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: context.as('openai'),
        tools: tools.map(({ name, description, inputSchema: parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
      }),
      signal,
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    return fromOpenAI(await response.json())
  }
}
