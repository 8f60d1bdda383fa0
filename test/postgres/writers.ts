import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import type { PostgresOptions } from '../../src/api/postgres.ts'
import type { Message } from '../../src/domain/message.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { Child } from '../fault/harness/child.ts'
import { textOfMessage } from '../fault/harness/text.ts'
import type { SteadyLine, SteadyTask } from './children/steady-writer.ts'

export const WRITER: URL = new URL('children/steady-writer.ts', import.meta.url)

interface Fleet {
  readonly processes: number
  /** Each writes to all of them. */
  readonly sessions: number
  readonly url: string
  readonly postgres: PostgresOptions
}

/** Processes that append without end, and what they were told. They end with their block, whatever happens in it. */
export class Writers implements AsyncDisposable {
  readonly lines: SteadyLine[] = []
  readonly #children: readonly Child[]
  #acknowledged = 0

  private constructor(children: readonly Child[]) {
    this.#children = children
    for (const child of children)
      child.onLine((line) => {
        this.lines.push(line as SteadyLine)
        if ('seq' in (line as SteadyLine)) this.#acknowledged += 1
      })
  }

  static async start({ processes, sessions, url, postgres }: Fleet): Promise<Writers> {
    const writers = new Writers(Array.from({ length: processes }, () => new Child(WRITER, [])))
    const tasks = writers.#children.map((child, index) =>
      child.go({ name: `writer-${index}`, url, postgres, sessions } satisfies SteadyTask),
    )
    await Promise.all(tasks).catch(async (error: unknown) => {
      await writers[Symbol.asyncDispose]()
      throw error
    })
    return writers
  }

  /** Waits until so many more were acknowledged. */
  async progress(more: number): Promise<void> {
    const wanted = this.#acknowledged + more
    while (this.#acknowledged < wanted) {
      if (await this.#haveEnded()) throw new Error(`The writers ended: ${this.#errors}`)
      await setTimeout(10)
    }
  }

  /** How long after a moment each process had its next answer: those that had one, in milliseconds. */
  recovery(since: number): readonly number[] {
    const first = new Map<string, number>()
    for (const line of this.lines) {
      const [writer = ''] = line.text.split(' ')
      if ('seq' in line && line.at >= since && !first.has(writer)) first.set(writer, line.at - since)
    }
    return [...first.values()]
  }

  async stop(): Promise<void> {
    for (const child of this.#children) child.say('stop')
    const codes = await Promise.all(this.#children.map((child) => child.ended))
    expect(codes, this.#errors).toEqual(codes.map(() => 0))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map((child) => child.kill()))
  }

  get #errors(): string {
    return this.#children.map((child) => child.errors).join('\n')
  }

  #haveEnded(): Promise<boolean> {
    return Promise.race([
      Promise.any(this.#children.map((child) => child.ended)).then(() => true),
      setTimeout(0, false),
    ])
  }
}

interface Comparison {
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly disordered: readonly string[]
  /** Refused for sure, and stored nonetheless. */
  readonly denied: readonly string[]
  readonly failed: readonly string[]
}

/** What was acknowledged and what is stored. */
export async function compare(url: string, lines: readonly SteadyLine[]): Promise<Comparison> {
  await using memory = await openMemory(url, { learn: false })
  const stored = new Map<string, readonly Message[]>()
  const disordered: string[] = []
  const doubled: string[] = []
  for (const session of new Set(lines.map((line) => line.session))) {
    const history = await memory.scope('acme/ada').session(session).history({ limit: 1_000_000 })
    stored.set(session, history)
    const last = new Map<string, number>()
    const seen = new Set<string>()
    for (const [index, message] of history.entries()) {
      const text = textOfMessage(message)
      const [name = '', , number] = text.split(' ')
      if (message.seq !== index + 1) disordered.push(`${session} has ${message.seq} at ${index + 1}`)
      if (seen.has(text)) doubled.push(text)
      // One writer waits for each answer before it goes on: its messages stand in that order.
      if ((last.get(name) ?? -1) > Number(number)) disordered.push(`${session}: ${text} after ${last.get(name)}`)
      last.set(name, Number(number))
      seen.add(text)
    }
  }
  const acknowledged = lines.filter((line) => 'seq' in line)
  const lost = acknowledged
    .filter(({ session, seq, text }) => textOfMessage(stored.get(session)?.[seq - 1] ?? { parts: [] }) !== text)
    .map(({ session, seq, text }) => `${session} ${seq}: ${text}`)
  const failures = lines.filter((line) => 'error' in line)
  const texts = new Set([...stored.values()].flatMap((history) => history.map(textOfMessage)))
  const denied = failures
    .filter(({ code, text }) => code !== 'store/unknown' && texts.has(text))
    .map(({ text }) => text)
  const failed = failures.map(({ code }) => code)
  const { ok, damage } = await memory.verify()
  if (!ok) disordered.push(JSON.stringify(damage))
  return { lost, doubled, disordered, denied, failed }
}

/** How many of each there are, to be printed. */
export function counts(found: Comparison): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(found).map(([name, list]) => [name, (list as readonly string[]).length]))
}
