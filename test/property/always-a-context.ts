import fc from 'fast-check'
import { expect } from 'vitest'
import { newestTurn } from '../../src/context/assembly/assemble.ts'
import { closingDrafts } from '../../src/context/assembly/close-calls.ts'
import { type Unit, unitsOf } from '../../src/context/window/unit.ts'
import { argumentsText } from '../../src/dialects/canonical/arguments.ts'
import type { Draft, Message } from '../../src/domain/message.ts'
import type { NewMessage } from '../../src/domain/new-message.ts'
import { messageText } from '../../src/log/message-text.ts'
import type { Context, ContextOptions } from '../../src/api/contexts.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Session } from '../../src/api/session.ts'
import { countMessage } from '../../src/tokens/count-message.ts'
import { estimator } from '../../src/tokens/estimate.ts'
import { checkContext, policies, seqsIn, stored } from './context-checks.ts'
import { type Transcript, plan, transcriptOf } from './context-transcripts.ts'

const FRAME_TOKENS = 300
const TOKENS_PER_OPEN_CALL = 60

/** What a budget must hold: the system text and the pins, and room for the rest. Worked out from the log alone. */
async function leastBudget(live: readonly Message[]): Promise<number> {
  const units = unitsOf(live.map((message) => ({ type: 'message', message })))
  const messagesOf = ({ entries }: Unit): readonly Message[] =>
    entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
  let tokens = FRAME_TOKENS
  for (const unit of units) {
    const messages = messagesOf(unit)
    if (!messages.some(({ role, tags }) => role === 'system' || tags?.includes('pinned') === true)) continue
    for (const draft of [...messages.map(asSent), ...closingDrafts(unit)])
      tokens += await countMessage(estimator(), draft)
  }
  const open = [...newestTurn(units)].flatMap((unit) =>
    messagesOf(unit).flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-call')),
  )
  return tokens + TOKENS_PER_OPEN_CALL * open.length
}

/** Providers want an object, so half-written arguments are sent inside one. */
function asSent(message: Message): Draft {
  const parts = message.parts.map((part) =>
    part.type === 'tool-call' ? { ...part, arguments: argumentsText(part.arguments) } : part,
  )
  return { ...message, parts }
}

/** Whatever a person or a tool may put at the end: far larger than any budget that follows. */
const ends: readonly ((size: number) => readonly NewMessage[])[] = [
  () => [],
  (size) => [{ role: 'user', content: `Q-end ${'what about this? '.repeat(size)}` }],
  (size) => [
    {
      role: 'assistant',
      toolCalls: [{ id: 'call_end_0123456789abcdef', name: 'read_file', arguments: { path: 'x' } }],
    },
    {
      role: 'tool',
      toolCallId: 'call_end_0123456789abcdef',
      content: `${'line of a log\n'.repeat(size)}Error: it broke\n${'more\n'.repeat(size)}`,
    },
  ],
  (size) => [
    {
      role: 'assistant',
      content: 'words '.repeat(size),
      toolCalls: Array.from({ length: 6 }, (_, index) => ({
        id: `toolu_01A09q90qw90lq917835lq${index}`,
        name: 'mcp__filesystem__write_file',
        arguments: { path: `f${index}`, content: 'x = 1; '.repeat(size) },
      })),
    },
    ...Array.from({ length: 4 }, (_, index) => ({
      role: 'tool' as const,
      toolCallId: `toolu_01A09q90qw90lq917835lq${index}`,
      content: JSON.stringify({ rows: Array.from({ length: size }, (__, row) => ({ row, name: 'Ada' })) }),
    })),
  ],
  (size) => [
    {
      role: 'assistant',
      toolCalls: Array.from({ length: 1 + (size % 80) }, (_, index) => ({
        id: `call_${size}_${index}`,
        name: 'a_very_long_name_that_some_framework_gave_to_a_tool_of_its_user_'.slice(0, 1 + (size % 64)),
        arguments: { query: 'what is this about? '.repeat(size % 9) },
      })),
    },
  ],
]

/** Reading never writes: without `compact`, a context leaves the session as it was. */
async function checkReading(chat: Session, options: ContextOptions): Promise<void> {
  const state = async (): Promise<string> => JSON.stringify([await chat.stats(), await chat.compactions()])
  const before = await state()
  const { tokens } = await chat.context({ ...options, compact: false })
  expect(tokens).toBeLessThanOrEqual(options.budget ?? 0)
  expect(await state()).toBe(before)
}

/** Nothing is invisible: what the receipt names and the context does not show whole can be read by its id. Looks at one line. */
async function checkReachable(
  chat: Session,
  { receipt }: Context,
  live: readonly Message[],
  nth: number,
): Promise<void> {
  const hidden = receipt.lines.flatMap((line) => {
    if (line.type === 'kept') return []
    return [{ id: line.type === 'folded' ? line.fold : line.id, sources: line.sources, why: line.why }]
  })
  const line = hidden[nth % Math.max(1, hidden.length)]
  if (line?.id === undefined) return
  expect(line.why).not.toBe('')
  const { total } = await chat.reopen(line.id, { limit: 1 })
  const { text } = await chat.reopen(line.id, { limit: Math.max(1, total) })
  const sources = new Set(line.sources.flatMap(seqsIn))
  for (const message of live)
    if (sources.has(message.seq))
      expect(text.includes(messageText(message)), `${line.id} shows ${message.seq}`).toBe(true)
}

const shares = fc.constantFrom(0, 0, 0, 0.01, 0.05, 0.2, 0.6)

/** A memory with many sessions is slow to open and to close. */
const SESSIONS_PER_MEMORY = 300
const CONTEXTS_PER_CASE = 3

/**
 * The laws that there is always a context, that reading never writes and that nothing is invisible, on so many random sessions and budgets. Returns how many contexts there were, and how often
 * a message was shown in part.
 */
export async function alwaysAContext(
  open: () => Promise<Memory>,
  cases: number,
): Promise<{ readonly contexts: number; readonly inPart: number }> {
  let memory = await open()
  let sessions = 0
  try {
    const figures = { contexts: 0, inPart: 0 }
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.nat({ max: ends.length - 1 }),
        fc.integer({ min: 1, max: 3_000 }),
        fc.array(fc.record({ share: shares, policy: fc.constantFrom(...policies), shrink: fc.boolean() }), {
          minLength: 3,
          maxLength: 3,
        }),
        async (steps, end, size, wishes) => {
          const made = transcriptOf(steps)
          const more = ends[end]?.(size) ?? []
          const transcript: Transcript = { ...made, messages: [...made.messages.slice(0, 600), ...more], bundles: [] }
          if (++sessions % SESSIONS_PER_MEMORY === 0) {
            await memory.close()
            memory = await open()
          }
          const chat = await stored(memory, `s${sessions}`, transcript)
          const live = await chat.history()
          const least = await leastBudget(live)
          const { tokens } = await chat.stats()
          for (const { share, policy, shrink } of wishes) {
            const options = { budget: Math.ceil(least + share * tokens), policy, shrink }
            await checkReading(chat, options)
            const context = await chat.context(options)
            await checkContext(context, options, live, transcript)
            figures.contexts += 1
            await checkReachable(chat, context, live, figures.contexts)
            for (const line of context.receipt.lines) {
              if (line.type !== 'folded' || line.why !== 'too-large') continue
              figures.inPart += 1
              expect(line.fold).toBe(`message-${line.sources[0]?.from}`)
              if (figures.inPart % 20 === 0)
                await checkOpens(line.fold, live[(line.sources[0]?.from ?? 1) - 1] as Message)
            }
          }
          async function checkOpens(id: string, message: Message): Promise<void> {
            const { total } = await chat.reopen(id, { limit: 1 })
            const { text } = await chat.reopen(id, { limit: Math.max(1, total) })
            expect(text.endsWith(messageText(message)), `${id} opens the whole message`).toBe(true)
          }
        },
      ),
      { numRuns: Math.ceil(cases / CONTEXTS_PER_CASE) },
    )
    return figures
  } finally {
    await memory.close()
  }
}
