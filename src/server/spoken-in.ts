import type { Session } from '../api/session.ts'

/** The messages that the steps of a change append, and those that they give new words. The steps are not checked yet. */
export async function spokenIn(session: Session, steps: unknown): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const step of Array.isArray(steps) ? (steps as readonly unknown[]) : []) {
    if (typeof step !== 'object' || step === null) continue
    const { messages, id } = step as { readonly messages?: unknown; readonly id?: unknown }
    if (Array.isArray(messages)) found.push(...(messages as readonly unknown[]))
    if ('patch' in step && typeof id === 'string' && id !== '') found.push(await session.get(id))
  }
  return found
}
