import type { Role } from '../../src/domain/message.ts'

interface ModelMessage {
  readonly seq: number
  readonly id: string
  readonly role: Role
  texts: readonly string[]
  removed: boolean
}

/** The log as one would explain it on a blackboard: an array for each session. The store is held against it. */
export class ModelLog {
  readonly sessions: Map<string, ModelMessage[]> = new Map()

  of(session: string): ModelMessage[] {
    let messages = this.sessions.get(session)
    if (messages === undefined) this.sessions.set(session, (messages = []))
    return messages
  }

  append(session: string, role: Role, id: string, text: string): number {
    const messages = this.of(session)
    messages.push({ seq: messages.length + 1, id, role, texts: [text], removed: false })
    return messages.length
  }

  find(session: string, id: string): ModelMessage | undefined {
    return this.of(session).find((message) => message.id === id)
  }

  clear(session: string, keepSystem: boolean): void {
    for (const message of this.of(session)) if (!keepSystem || message.role !== 'system') message.removed = true
  }

  fork(session: string, into: string, at: number): void {
    this.sessions.set(
      into,
      this.of(session)
        .slice(0, at)
        .map((message) => ({ ...message })),
    )
  }

  window(session: string): readonly string[] {
    return this.of(session)
      .filter((message) => !message.removed)
      .map((message) => message.texts.at(-1) ?? '')
  }

  history(session: string): readonly string[] {
    return this.of(session).map((message) => message.texts.at(-1) ?? '')
  }
}
