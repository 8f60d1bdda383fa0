import { type UIMessage, validateUIMessages } from 'ai'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Session } from '../../src/api/session.ts'
import { convert } from '../../src/dialects/convert.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'

/** What a person or a program does to a chat. */
type Move =
  | { readonly do: 'ask' | 'reply' | 'grow' | 'regenerate' | 'back'; readonly text: string; readonly tools: number }
  | { readonly do: 'edit' | 'delete'; readonly pick: number; readonly text: string }
  | { readonly do: 'save'; readonly from: number; readonly complete: boolean }

const text = fc.string({ minLength: 1, maxLength: 8 })
const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({
    do: fc.constantFrom('ask' as const, 'reply' as const, 'grow' as const, 'regenerate' as const, 'back' as const),
    text,
    tools: fc.nat({ max: 3 }),
  }),
  fc.record({ do: fc.constantFrom('edit' as const, 'delete' as const), pick: fc.nat({ max: 20 }), text }),
  fc.record({ do: fc.constant('save' as const), from: fc.nat({ max: 20 }), complete: fc.boolean() }),
)

type UIPart = UIMessage['parts'][number]

/** A chat as a host keeps it. */
class Chat {
  messages: UIMessage[] = []
  #serial = 0
  #earlier: UIMessage[] = []

  play(action: Exclude<Move, { readonly do: 'save' }>): void {
    const last = this.messages.at(-1)
    if (action.do === 'ask') this.#add('user', [{ type: 'text', text: action.text }])
    else if (action.do === 'reply') this.#add('assistant', this.#steps(action.tools, action.text))
    else if (action.do === 'grow' && last?.role === 'assistant')
      this.messages = [
        ...this.messages.slice(0, -1),
        { ...last, parts: [...last.parts.map(finished), ...this.#steps(action.tools, action.text)] },
      ]
    else if (action.do === 'regenerate' && last?.role === 'assistant') {
      this.#earlier = this.messages
      this.messages = this.messages.slice(0, -1)
      this.#add('assistant', this.#steps(action.tools, action.text))
    } else if (action.do === 'back' && this.#earlier.length > 0) {
      const now = this.messages
      this.messages = this.#earlier
      this.#earlier = now
    } else if (action.do === 'edit' && this.messages.length > 0) {
      this.#earlier = this.messages
      this.messages = this.messages.slice(0, action.pick % this.messages.length)
      this.#add('user', [{ type: 'text', text: action.text }])
    } else if (action.do === 'delete' && this.messages.length > 1) {
      const at = 1 + (action.pick % (this.messages.length - 1))
      this.messages = this.messages.filter((_, index) => index !== at)
    }
  }

  #add(role: UIMessage['role'], parts: UIPart[]): void {
    this.messages = [...this.messages, { id: `m${++this.#serial}`, role, parts }]
  }

  #steps(tools: number, said: string): UIPart[] {
    const steps = Array.from({ length: tools }, (_, index): UIPart[] => {
      const call = { type: 'tool-look', toolCallId: `c${++this.#serial}`, input: { said } } as const
      const isOpen = index === tools - 1 && said.length > 4
      return [
        { type: 'step-start' },
        isOpen ? { ...call, state: 'input-available' } : { ...call, state: 'output-available', output: said },
      ]
    })
    // A turn that waits for a tool ends with its call.
    if (tools > 0 && said.length > 4) return steps.flat()
    return [...steps.flat(), { type: 'step-start' }, { type: 'text', text: said }]
  }
}

function finished(part: UIPart): UIPart {
  return 'state' in part && part.state === 'input-available'
    ? ({ ...part, state: 'output-available', output: 'done' } as UIPart)
    : part
}

async function shown(session: Session): Promise<readonly UIMessage[]> {
  const live = (await session.history()).filter(({ removed }) => removed !== true)
  return live.length === 0 ? [] : (convert(live, { from: 'daybook', to: 'ai-sdk-ui' }) as unknown as UIMessage[])
}

async function save(session: Session, chat: Chat, action: Extract<Move, { readonly do: 'save' }>): Promise<void> {
  const before = await shown(session)
  const kept = await session.history()
  const from = chat.messages.length === 0 ? 0 : action.from % chat.messages.length
  const given = chat.messages.slice(action.complete ? 0 : from)
  await session.sync(given, { dialect: 'ai-sdk-ui', complete: action.complete })
  const shared = before.findIndex(({ id }) => given.some((message) => message.id === id))
  const untouched = action.complete ? [] : before.slice(0, shared < 0 ? before.length : shared)
  const after = await shown(session)
  expect(after).toEqual([...untouched, ...given])
  // Nothing before the first shared message is touched, and nothing that was ever stored is lost.
  const history = await session.history()
  expect(history.slice(0, kept.length).map(({ id, seq }) => [id, seq])).toEqual(kept.map(({ id, seq }) => [id, seq]))
  if (after.length > 0) await validateUIMessages({ messages: [...after] })
  // The second call changes nothing.
  const { version } = await session.stats()
  expect(await session.sync(given, { dialect: 'ai-sdk-ui', complete: action.complete })).toMatchObject({
    appended: [],
    revised: [],
    removed: [],
    version,
  })
}

it('[hosts-2] a chat that is saved, edited, regenerated, grown and saved again is what the host has, and saving twice changes nothing', async () => {
  await using memory = await openMemory(':memory:')
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 20 }), async (moves) => {
      const session = memory.scope('hosts').session(`s${++runs}`)
      const chat = new Chat()
      for (const action of [...moves, { do: 'save', from: 0, complete: true } as const])
        if (action.do === 'save') await save(session, chat, action)
        else chat.play(action)
    }),
    { numRuns: times({ daily: 25, nightly: 3_000 }) },
  )
})
