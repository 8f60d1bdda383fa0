/**
 * A chat route of Next.js that remembers. Copy it into your project, and let `next.config.mjs` leave our native file where it is:
 *
 *   export default { serverExternalPackages: ['daybook'] }
 *
 * Then:
 *
 *   npm install daybook ai @ai-sdk/openai
 *   npx next dev
 *   curl localhost:3000/api/chat --json '{ "chat": "c1", "text": "I live in Lisbon." }'
 *   curl 'localhost:3000/api/chat?chat=c1'
 *
 * It needs OPENAI_API_KEY, or OPENAI_BASE_URL for another address. On a host without a disk of its own, set DAYBOOK_MEMORY to
 * `postgres://…` or to the address of `daybook serve`.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { createTextStreamResponse, streamText, toTextStream, wrapLanguageModel } from 'ai'
import { openMemory } from 'daybook'
import { loadChat, middleware } from 'daybook/ai-sdk'

// Opened by the first request, not by the build. Next.js loads this file again when it changes: the memory stays open.
const opened = () => (globalThis.daybook ??= openMemory(process.env.DAYBOOK_MEMORY ?? 'chat.db'))

// Take the user from your login. Never take the scope from the request: it decides which memory is read.
const scopeOf = async (_request) => (await opened()).scope('acme/ada')

export async function POST(request) {
  const { chat, text } = await request.json()
  const scope = await scopeOf(request)
  const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat('gpt-5-mini')
  const { stream } = streamText({
    model: wrapLanguageModel({ model, middleware: middleware({ scope, session: chat }) }),
    instructions: 'You help customers of Acme.',
    prompt: text,
  })
  return createTextStreamResponse({ stream: toTextStream({ stream }) })
}

/** The messages of a chat, as `useChat` takes them. */
export async function GET(request) {
  const chat = new URL(request.url).searchParams.get('chat') ?? ''
  return Response.json(await loadChat(await scopeOf(request), chat))
}
