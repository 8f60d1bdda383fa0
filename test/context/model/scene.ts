import type { Entry } from '../../../src/context/window/entry.ts'
import type { ModelLimits, ModelSummaryRequest } from '../../../src/context/model/model-summary.ts'
import { promptNamed } from '../../../src/context/model/prompts/compose.ts'
import type { StagePrompt } from '../../../src/context/compaction/stage.ts'
import type { Identifier } from '../../../src/domain/fold.ts'
import type { Draft, Message } from '../../../src/domain/message.ts'
import type { LanguageModel, ModelAnswer, ModelRequest } from '../../../src/ports/language-model.ts'
import { estimator } from '../../../src/tokens/estimate.ts'
import { countMessage } from '../../../src/tokens/count-message.ts'

export type PromptName = StagePrompt['name']

export const PROMPT_NAMES: readonly PromptName[] = [
  'merge-tools',
  'summarise-round',
  'summarise-current',
  'shorten-payload',
  'fold-summaries',
]

export const count = (text: string): number => estimator().count(text)

/** Stands still, so that two runs answer the same. */
export const clock = { now: () => 1_000 }

export function message(seq: number, draft: Draft): Entry {
  const counted = countMessage(estimator(), draft)
  const tokens = typeof counted === 'number' ? counted : count(JSON.stringify(draft))
  const stored: Message = {
    ...draft,
    id: `m${seq}`,
    seq,
    at: '2025-01-01T00:00:00.000Z',
    tokens,
    revision: 0,
    tokenizer: estimator().name,
  }
  return { type: 'message', message: stored }
}

export function say(role: 'user' | 'assistant', text: string): Draft {
  return { role, parts: [{ type: 'text', text }] }
}

function call(name: string, args: string, id = 'c1'): Draft {
  return { role: 'assistant', parts: [{ type: 'tool-call', id, name, arguments: args }] }
}

export function result(text: string, outcome: 'ok' | 'error' = 'ok', callId = 'c1'): Draft {
  return {
    role: 'tool',
    parts: [{ type: 'tool-result', callId, name: 'shell', output: { type: 'text', text }, outcome }],
  }
}

export const VITAL: readonly string[] = ['order 7731', 'src/orders/ship.ts', 'ECONNRESET at line 42']

/** A turn with a question, work that failed once, and an answer: some 250 tokens. */
export function turn(): readonly Entry[] {
  return [
    message(
      1,
      say('user', 'Please find out why order 7731 is late again, and look at src/orders/ship.ts first of all.'),
    ),
    message(2, call('shell', '{"command":"cat src/orders/ship.ts"}')),
    message(
      3,
      result(`export function ship(order) { return carrier.post(order) } // ${'and so on and on '.repeat(30)}`),
    ),
    message(4, call('shell', '{"command":"npm test"}', 'c2')),
    message(
      5,
      result('Error: ECONNRESET at line 42 while posting to https://carrier.example/v2/parcels', 'error', 'c2'),
    ),
    message(
      6,
      say(
        'assistant',
        'Order 7731 is late because the carrier resets the connection; a retry would help. Shall I add one?',
      ),
    ),
  ]
}

export function identifiers(): readonly Identifier[] {
  return [
    ...VITAL.map((text): Identifier => ({ kind: 'quoted', text, seqs: [1], vital: true, trust: 2 })),
    { kind: 'url', text: 'https://carrier.example/v2/parcels', seqs: [5], vital: false, trust: 1 },
  ]
}

/** An answer that is true of the turn, in the fields of the prompt. */
export function goodAnswer(name: PromptName): Record<string, unknown> {
  const { sections } = promptNamed(name)
  return Object.fromEntries(
    sections.map(({ key, oneOf }, index) => [
      key,
      oneOf?.[1] ??
        (index < 2 ? [GOOD_ITEMS[index]] : index === 2 ? ['The test failed with ECONNRESET at line 42.'] : []),
    ]),
  )
}

const GOOD_ITEMS = ['The user asked why order 7731 was late.', 'I read src/orders/ship.ts and ran the tests.']

export interface Scripted extends LanguageModel {
  readonly asked: ModelRequest[]
}

/** Answers from a script; the last line again when it is used up. */
export function scripted(...script: readonly ((request: ModelRequest) => unknown)[]): Scripted {
  const asked: ModelRequest[] = []
  return {
    name: 'scripted',
    asked,
    generate(request) {
      asked.push(request)
      const step = script[asked.length - 1] ?? script.at(-1)
      return step?.(request) as Promise<ModelAnswer>
    },
  }
}

export const answering = (text: unknown, more: object = {}): (() => Promise<unknown>) => {
  return async () => ({ text, ...more })
}

export function question(model: LanguageModel, change: Partial<ModelSummaryRequest> = {}): ModelSummaryRequest {
  return {
    model,
    prompt: { name: 'summarise-round', tokensMax: 120 },
    entries: turn(),
    standIn: [say('user', 'What the rule says.')],
    identifiers: identifiers(),
    count,
    ...change,
  }
}

export function limits(change: Partial<ModelLimits> = {}): ModelLimits {
  return { deadlineMs: 10_000, signal: new AbortController().signal, clock, ...change }
}
