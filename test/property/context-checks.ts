import { expect } from 'vitest'
import type { Policy, PolicyName, StageStep } from '../../src/api/policy.ts'
import type { Context, ContextOptions, ReceiptLine } from '../../src/api/contexts.ts'
import { lint } from '../../src/dialects/lint.ts'
import { type Dialect, dialects } from '../../src/domain/dialect.ts'
import { MemoryError } from '../../src/domain/error.ts'
import type { SeqRange } from '../../src/domain/fold.ts'
import type { Draft, Message } from '../../src/domain/message.ts'
import type { Memory } from '../../src/api/memory.ts'
import type { Session } from '../../src/api/session.ts'
import { REPLY_PRIMING_TOKENS, countMessage } from '../../src/tokens/count-message.ts'
import { estimator } from '../../src/tokens/estimate.ts'
import type { Transcript } from './context-transcripts.ts'

/** The presets begin at sizes that few generated transcripts reach: these are the same stages with small numbers. */
function small(name: string, steps: readonly StageStep[], advance: Policy['advance'] = 'until-low'): Policy {
  return { name, high: { mark: { ratio: 0.6 } }, low: { mark: { ratio: 0.3 } }, steps, advance }
}

export const policies: readonly (PolicyName | Policy)[] = [
  'balanced',
  'balanced',
  'recency',
  'autoContext',
  'rolling',
  'managed',
  small('offload only', [{ stage: 'offload', overCharacters: 200, previewCharacters: 60 }]),
  small('cut, then drop', [
    { stage: 'truncate-results', charactersMax: 300 },
    { stage: 'drop', keepRounds: 1 },
  ]),
  small('records', [
    { stage: 'merge', runOver: 2, tokensMin: 50, tokensMax: 300 },
    { stage: 'summarise', unit: 'folds', summaryTokensMax: 400 },
  ]),
  small('rounds', [
    { stage: 'summarise', unit: 'round', keepUser: true, tokensMax: 200 },
    { stage: 'summarise', unit: 'range', tokensMax: 300 },
    { stage: 'summarise', unit: 'folds', summaryTokensMax: 400 },
  ]),
  small(
    'one at a time',
    [
      { stage: 'offload', overCharacters: 400 },
      { stage: 'merge', runOver: 2, tokensMin: 50 },
      { stage: 'summarise', unit: 'range', split: true, take: 'half' },
      { stage: 'drop', mode: 'skip' },
    ],
    'first-change',
  ),
]

/** Appends a transcript to a session of its own. */
export async function stored(memory: Memory, name: string, { messages }: Transcript): Promise<Session> {
  const chat = memory.scope('property').session(name)
  for (let at = 0; at < messages.length; at += 500) await chat.append(messages.slice(at, at + 500))
  return chat
}

async function recount(messages: readonly Draft[]): Promise<number> {
  let tokens = REPLY_PRIMING_TOKENS
  for (const message of messages) tokens += await countMessage(estimator(), message)
  return tokens
}

/** Everything that a context shows, as one text. What it shows in a dialect follows from it; one is looked at all the same. */
export function bytesIn(context: Context): string {
  return JSON.stringify([context.messages, context.as('anthropic'), context.receipt])
}

/** A context, or the error that says with numbers why there is none. */
export async function contextOrRefusal(chat: Session, options: ContextOptions): Promise<Context | undefined> {
  try {
    return await chat.context(options)
  } catch (error) {
    if (!MemoryError.is(error, 'context/over-budget')) throw error
    checkRefusal(error, options)
    return undefined
  }
}

function checkRefusal({ details }: MemoryError, { budget = 0, reserve = 0, bytes }: ContextOptions): void {
  const number = (name: string): number => Number(details[name] ?? 0)
  const parts = ['system', 'pinned', 'newestTurn', 'recalled', 'plan', 'framing'].map(number)
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(number('needed'))
  expect(number('budget')).toBe(budget)
  expect(number('needed') > budget - reserve || (bytes !== undefined && number('bytes') > bytes.max)).toBe(true)
}

/** Everything that holds for every context, checked from the outside. */
export async function checkContext(
  context: Context,
  options: ContextOptions,
  live: readonly Message[],
  transcript: Transcript,
): Promise<void> {
  const { budget = 0, reserve = 0, bytes } = options
  const tokens = await recount(withEnds(context.messages))
  expect(tokens, 'tokens, counted again').toBe(context.tokens)
  expect(tokens).toBeLessThanOrEqual(budget - reserve)
  for (const dialect of dialects) expect(errorsIn(context, dialect), dialect).toEqual([])
  if (bytes !== undefined)
    expect(Buffer.byteLength(JSON.stringify(context.as(bytes.dialect)))).toBeLessThanOrEqual(bytes.max)
  checkReceipt(context, live)
  checkBundles(context, transcript)
  checkPresence(context, live, transcript)
}

/** With what a dialect may put before an assistant's first word, and after its last. */
function withEnds(messages: readonly Draft[]): readonly Draft[] {
  const said = (text: string): Draft => ({ role: 'user', parts: [{ type: 'text', text }] })
  const first = messages.find(({ role }) => role !== 'system')?.role ?? 'user'
  return [
    ...(first === 'user' ? [] : [said('[start of conversation]')]),
    ...messages,
    ...(messages.at(-1)?.role === 'assistant' ? [said('[continue]')] : []),
  ]
}

function errorsIn(context: Context, dialect: Dialect): readonly string[] {
  return lint(context.as(dialect), dialect)
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, message }) => `${rule} ${message}`)
}

function seqsOf(line: ReceiptLine): readonly number[] {
  return line.type === 'kept' ? [line.seq] : line.sources.flatMap(seqsIn)
}

export function seqsIn({ from, through }: SeqRange): readonly number[] {
  return Array.from({ length: through - from + 1 }, (_, index) => from + index)
}

function checkReceipt({ receipt, tokens }: Context, live: readonly Message[]): void {
  const named = receipt.lines.flatMap(seqsOf)
  expect(
    named.toSorted((a, b) => a - b),
    'every live message once',
  ).toEqual(live.map(({ seq }) => seq))
  for (const line of receipt.lines)
    if (line.type === 'folded') expect(line.tokens, 'a fold that shows nothing').toBeGreaterThan(0)
  const { total, system, pinned, folds, messages, recalled, plan, framing } = receipt.tokens
  expect(total).toBe(tokens)
  expect(system + pinned + folds + messages + recalled + plan + framing).toBe(total)
  const inside = receipt.lines.reduce((sum, line) => (line.type === 'left-out' ? sum : sum + line.tokens), 0)
  expect(system + pinned + folds + messages).toBe(inside)
}

/** A bundle is in the context whole (some of it shortened), or folded into one fold, or left out. */
function checkBundles({ receipt }: Context, { bundles }: Transcript): void {
  const fate = new Map<number, string>()
  for (const line of receipt.lines) {
    const seqs = seqsOf(line)
    const shown = line.type === 'kept' || (line.type === 'folded' && seqs.length === 1 && line.tokens > 0)
    const hidden = line.type === 'folded' ? line.fold : 'left out'
    for (const seq of seqs) fate.set(seq, shown ? 'shown' : hidden)
  }
  for (const bundle of bundles) {
    const fates = new Set(bundle.map((index) => fate.get(index + 1)))
    expect(fates.size, `bundle of ${bundle.join(', ')}: ${[...fates].join(', ')}`).toBeLessThanOrEqual(1)
  }
}

function checkPresence({ messages }: Context, live: readonly Message[], { marks }: Transcript): void {
  const shown = JSON.stringify(messages)
  const newest = live.findLast(({ role }) => role === 'user')
  const wanted = live.filter(
    (message) => message === newest || message.role === 'system' || message.tags?.includes('pinned') === true,
  )
  for (const { seq, role } of wanted)
    for (const mark of marks[seq - 1] ?? []) expect(shown.includes(mark), `${role} ${seq} with ${mark}`).toBe(true)
}
