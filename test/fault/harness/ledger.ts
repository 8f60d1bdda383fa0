import type { Message } from '../../../src/domain/message.ts'
import type { Memory } from '../../../src/api/memory.ts'
import { sha, textOfMessage } from './text.ts'

/** What a writer said after its call had resolved. */
export type Ack =
  | {
      readonly kind: 'message'
      readonly session: string
      readonly seq: number
      readonly id: string
      readonly sha: string
      /** The text it has after its revision, if it gets one. */
      readonly revisedSha?: string
    }
  | { readonly kind: 'revised'; readonly session: string; readonly id: string }
  | { readonly kind: 'removed'; readonly session: string; readonly id: string }

export interface LedgerReport {
  /** One line for everything that was acknowledged and is not so. */
  readonly lost: readonly string[]
  /** Gaps, doubles, damage. */
  readonly wrong: readonly string[]
  readonly messages: number
}

/** Remembers what was acknowledged and compares it with what a memory has. */
export class Ledger {
  readonly #messages = new Map<string, Ack & { readonly kind: 'message' }>()
  readonly #amended: Exclude<Ack, { readonly kind: 'message' }>[] = []
  readonly #wrong: string[] = []

  get size(): number {
    return this.#messages.size + this.#amended.length
  }

  add(ack: Ack): void {
    if (ack.kind !== 'message') {
      this.#amended.push(ack)
      return
    }
    const place = `${ack.session}/${ack.seq}`
    const earlier = this.#messages.get(place)
    if (earlier !== undefined && earlier.id !== ack.id)
      this.#wrong.push(`${place} was acknowledged as ${earlier.id} and as ${ack.id}`)
    this.#messages.set(place, ack)
  }

  /** Compares, and verifies the whole file. */
  async check(memory: Memory, scope: string): Promise<LedgerReport> {
    const { lost, wrong, messages } = await this.compare(memory, scope)
    const { ok, file, damage } = await memory.verify()
    return {
      lost,
      wrong: ok ? wrong : [...wrong, `verify: ${JSON.stringify({ file, damage }).slice(0, 500)}`],
      messages,
    }
  }

  async compare(memory: Memory, scope: string): Promise<LedgerReport> {
    const lost: string[] = []
    const wrong = [...this.#wrong]
    let messages = 0
    const bySession = Map.groupBy(this.#messages.values(), (ack) => ack.session)
    for (const session of bySession.keys()) {
      const history = await memory.scope(scope).session(session).history()
      messages += history.length
      wrong.push(...this.#disorder(session, history))
      lost.push(...missing(bySession.get(session) ?? [], history), ...this.#unamended(session, history))
    }
    return { lost, wrong, messages }
  }

  #disorder(session: string, history: readonly Message[]): readonly string[] {
    const wrong: string[] = []
    const texts = new Set<string>()
    for (const [index, message] of history.entries()) {
      if (message.seq !== index + 1) wrong.push(`${session} has ${message.seq} where ${index + 1} belongs`)
      const text = textOfMessage(message)
      if (texts.has(text)) wrong.push(`${session}/${message.seq} is stored twice`)
      texts.add(text)
    }
    return wrong
  }

  #unamended(session: string, history: readonly Message[]): readonly string[] {
    const byId = new Map(history.map((message) => [message.id, message]))
    return this.#amended
      .filter((ack) => ack.session === session)
      .filter(({ id, kind }) =>
        kind === 'revised' ? !(Number(byId.get(id)?.revision) > 0) : byId.get(id)?.removed !== true,
      )
      .map(({ id, kind }) => `${session}: ${id} was ${kind}`)
  }
}

function missing(
  acks: readonly (Ack & { readonly kind: 'message' })[],
  history: readonly Message[],
): readonly string[] {
  return acks
    .filter((ack) => {
      const found = history[ack.seq - 1]
      const wanted = found !== undefined && found.revision > 0 ? ack.revisedSha : ack.sha
      return found === undefined || found.id !== ack.id || sha(textOfMessage(found)) !== wanted
    })
    .map((ack) => `${ack.session}/${ack.seq} ${ack.id}`)
}
