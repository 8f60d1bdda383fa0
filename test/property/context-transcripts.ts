import fc from 'fast-check'
import type { NewMessage, NewPart } from '../../src/domain/new-message.ts'
import type { ToolOutput } from '../../src/domain/part.ts'

/** What somebody did next. Steps are plain data, so that a failed case shrinks to the few that matter. */
export type Step =
  | {
      readonly do: 'say'
      readonly role: 'user' | 'assistant' | 'system'
      readonly how: Words
      readonly pinned: boolean
    }
  | { readonly do: 'show'; readonly by: 'url' | 'bytes'; readonly how: Words }
  | { readonly do: 'think'; readonly signed: boolean; readonly aborted: boolean; readonly how: Words }
  | { readonly do: 'call'; readonly calls: readonly Call[]; readonly words: boolean; readonly pinned: boolean }
  /** Results that are still owed, those of several messages in one. */
  | { readonly do: 'settle' }
  | { readonly do: 'orphan'; readonly named: boolean; readonly how: Words }
  | { readonly do: 'delegate'; readonly how: Words }

export interface Words {
  readonly size: number
  readonly script: 'latin' | 'cjk' | 'json' | 'emoji' | 'line'
}

export interface Call {
  /** Whether the arguments were cut off in the middle, as by an aborted stream. */
  readonly torn: boolean
  readonly result: 'own' | 'together' | 'late' | 'never' | 'twice' | 'early'
  readonly output: 'text' | 'json' | 'image' | 'error' | 'empty'
  readonly tool: 'read_file' | 'search' | 'save' | 'update_plan_info'
  readonly how: Words
  /** Whether the id is one that other calls use too. */
  readonly reused: boolean
}

/** Most texts are short; a few are as long as a file. */
const size = fc.oneof(
  { weight: 60, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 30, arbitrary: fc.integer({ min: 40, max: 400 }) },
  { weight: 9, arbitrary: fc.integer({ min: 400, max: 4_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4_000, max: 24_000 }) },
)
const how: fc.Arbitrary<Words> = fc.record({
  size,
  script: fc.constantFrom('latin', 'latin', 'latin', 'cjk', 'json', 'emoji', 'line'),
})
const seldom = fc.integer({ min: 0, max: 9 }).map((n) => n === 9)

const call: fc.Arbitrary<Call> = fc.record({
  torn: seldom,
  result: fc.constantFrom('own', 'own', 'own', 'together', 'together', 'late', 'late', 'never', 'twice', 'early'),
  output: fc.constantFrom('text', 'text', 'text', 'json', 'image', 'error', 'empty'),
  tool: fc.constantFrom('read_file', 'read_file', 'search', 'save', 'update_plan_info'),
  how,
  reused: seldom,
})

const role = fc.constantFrom(...(['user', 'user', 'user', 'assistant', 'assistant', 'system'] as const))

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('say' as const), role, how, pinned: seldom }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      calls: fc.array(call, { minLength: 1, maxLength: 4 }),
      words: fc.boolean(),
      pinned: seldom,
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'settle' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('show' as const), by: fc.constantFrom('url', 'bytes'), how }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('think' as const), signed: fc.boolean(), aborted: fc.boolean(), how }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('orphan' as const), named: fc.boolean(), how }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delegate' as const), how }) },
)

/** A transcript is some steps, said again and again: nearly always a few times, now and then up to two thousand messages. */
export interface Plan {
  readonly steps: readonly Step[]
  readonly repeat: number
}

export const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 16 }),
  repeat: fc.oneof(
    { weight: 70, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 26, arbitrary: fc.integer({ min: 3, max: 8 }) },
    { weight: 3, arbitrary: fc.integer({ min: 8, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: 30, max: 120 }) },
  ),
})

const MESSAGES_MAX = 2_000
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SCRIPTS: Readonly<Record<Words['script'], string>> = {
  latin: 'the order 7731 of Ada went to src/late/parcel.ts on 2026-03-04\n',
  cjk: '订单七七三一迟到了、請稍候。注文は遅れています。',
  json: '{"path":"/var/log/app.log","status":500,"ok":false},',
  emoji: '🎈👩‍👩‍👧‍👦 née ',
  line: 'x',
}

/** A transcript, and what a test knows about it without asking the code under test. */
export interface Transcript {
  readonly messages: readonly NewMessage[]
  /** For each message, what must be readable in a context that has it: a word that occurs nowhere else. */
  readonly marks: readonly (readonly string[])[]
  /** Indices of messages that belong together; without those whose call ids are ambiguous. */
  readonly bundles: readonly (readonly number[])[]
}

/** Plays a plan. Pure: the same plan gives the same transcript. */
export function transcriptOf({ steps, repeat }: Plan): Transcript {
  const writer = new Writer()
  for (let round = 0; round < repeat; round++) for (const one of steps) writer.take(one)
  return writer.end()
}

interface Owed {
  readonly part: NewPart
  readonly mark: string | undefined
  readonly caller: number
}

class Writer {
  readonly #messages: NewMessage[] = []
  readonly #marks: string[][] = []
  readonly #groups: number[][] = []
  #owed: Owed[] = []
  #serial = 0

  take(one: Step): void {
    if (this.#messages.length >= MESSAGES_MAX) return
    switch (one.do) {
      case 'say': {
        const mark = this.#mark()
        this.#add({ role: one.role, content: `${mark} ${words(one.how)}`, ...tagged(one.pinned) }, [mark])
        return
      }
      case 'show':
        return this.#show(one.by, one.how)
      case 'think':
        return this.#think(one)
      case 'call':
        return this.#call(one)
      case 'settle':
        return this.#settle()
      case 'orphan': {
        const mark = this.#mark()
        const id = one.named ? { toolCallId: `nobody-${this.#serial}` } : {}
        this.#add({ role: 'tool', content: `${mark} ${words(one.how)}`, ...id }, one.named ? [mark] : [])
        return
      }
      case 'delegate': {
        const mark = this.#mark()
        const nested = { agent: 'researcher', request: { topic: words(one.how), next: [{ agent: 'writer', mark }] } }
        this.#add({ role: 'assistant', agentCalls: [nested] }, [mark])
      }
    }
  }

  end(): Transcript {
    if (this.#messages.length === 0)
      this.take({ do: 'say', role: 'user', how: { size: 1, script: 'line' }, pinned: false })
    return {
      messages: this.#messages.slice(0, MESSAGES_MAX),
      marks: this.#marks,
      bundles: this.#groups.map((group) => group.filter((index) => index < MESSAGES_MAX)),
    }
  }

  #mark(): string {
    return `Q${(++this.#serial).toString(36)}Q`
  }

  #add(message: NewMessage, marks: readonly string[]): number {
    this.#marks.push([...marks])
    return this.#messages.push(message) - 1
  }

  #show(by: 'url' | 'bytes', how_: Words): void {
    const mark = this.#mark()
    const source = by === 'url' ? { url: `https://example.com/${mark}.png` } : { base64: PNG }
    const image = { type: 'image', source: { type: by === 'url' ? 'url' : 'base64', ...source } } as NewPart
    this.#add({ role: 'user', parts: [{ type: 'text', text: `${mark} ${words(how_)}` }, image] }, [mark])
  }

  /** Reasoning with or without a signature; an aborted stream ends with it. */
  #think({ signed, aborted, how: how_ }: Extract<Step, { do: 'think' }>): void {
    const thought: NewPart = {
      type: 'reasoning',
      text: words(how_),
      ...(signed ? { provider: { anthropic: { signature: 'sig' } } } : {}),
    }
    const mark = this.#mark()
    const parts: readonly NewPart[] = aborted ? [thought] : [thought, { type: 'text', text: mark }]
    this.#add({ role: 'assistant', parts }, aborted ? [] : [mark])
  }

  #call({ calls, words: says, pinned }: Extract<Step, { do: 'call' }>): void {
    const mark = this.#mark()
    const made = calls.map((one) => this.#made(one))
    for (const { one, part, mark: own } of made)
      if (one.result === 'early' && !one.reused) this.#answer([{ part, mark: own, caller: -1 }])
    const early = this.#messages.length
    const text: readonly NewPart[] = says ? [{ type: 'text', text: mark }] : []
    const parts = [...text, ...made.map(({ callPart }) => callPart)]
    const caller = this.#add({ role: 'assistant', parts, ...tagged(pinned) }, says ? [mark] : [])
    this.#groups.push([caller])
    const earlier = made.filter(({ one }) => one.result === 'early' && !one.reused).length
    for (let back = 1; back <= earlier; back++) this.#join(caller, early - back)
    const owed = (how_: Call['result']): readonly Owed[] =>
      made.flatMap(({ one, part, mark: own }) =>
        one.result === how_ ? [{ part, mark: own, caller: one.reused ? -1 : caller }] : [],
      )
    for (const one of owed('own')) this.#answer([one])
    this.#answer(owed('together'))
    for (const one of owed('twice')) {
      this.#answer([one])
      this.#answer([{ ...one, mark: undefined }])
    }
    this.#owed.push(...owed('late'))
  }

  #made(one: Call): { one: Call; callPart: NewPart; part: NewPart; mark: string | undefined } {
    const mark = this.#mark()
    const id = one.reused ? 'again' : `call-${this.#serial}`
    const given = JSON.stringify({
      path: `src/file-${this.#serial}.ts`,
      note: words({ ...one.how, size: one.how.size / 8 }),
    })
    const callPart: NewPart = {
      type: 'tool-call',
      id,
      name: one.tool,
      arguments: one.torn ? given.slice(0, Math.ceil(given.length / 2)) : given,
    }
    const part: NewPart = {
      type: 'tool-result',
      callId: id,
      name: one.tool,
      output: outputOf(one, mark),
      ...(one.output === 'error' ? { outcome: 'error' as const } : {}),
    }
    return { one, callPart, part, mark: one.reused || one.output === 'empty' ? undefined : mark }
  }

  /** One tool message for results of one or more callers. */
  #answer(owed: readonly Owed[]): void {
    if (owed.length === 0) return
    const marks = owed.flatMap(({ mark }) => (mark === undefined ? [] : [mark]))
    const index = this.#add({ role: 'tool', parts: owed.map(({ part }) => part) }, marks)
    for (const { caller } of owed) if (caller >= 0) this.#join(caller, index)
  }

  #settle(): void {
    const owed = this.#owed
    this.#owed = []
    this.#answer(owed)
  }

  #join(a: number, b: number): void {
    const with_ = (index: number): number[] =>
      this.#groups.find((group) => group.includes(index)) ?? this.#groups[this.#groups.push([index]) - 1] ?? []
    const [first, second] = [with_(a), with_(b)]
    if (first === second) return
    first.push(...second)
    this.#groups.splice(this.#groups.indexOf(second), 1)
  }
}

function tagged(pinned: boolean): { readonly tags?: readonly string[] } {
  return pinned ? { tags: ['pinned'] } : {}
}

function words({ size: characters, script }: Words): string {
  const unit = SCRIPTS[script]
  return unit
    .repeat(Math.ceil(characters / unit.length))
    .slice(0, Math.max(1, characters))
    .toWellFormed()
}

function outputOf({ output, how: how_ }: Call, mark: string): ToolOutput {
  const text = `${mark} ${words(how_)}`
  if (output === 'json') return { type: 'json', value: { mark, lines: [words(how_)] } }
  if (output === 'empty') return { type: 'text', text: '' }
  if (output === 'error') return { type: 'text', text: `Error: ENOENT ${text}` }
  if (output === 'text') return { type: 'text', text }
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/shot.png' } } as const
  return { type: 'parts', parts: [{ type: 'text', text }, image] }
}
