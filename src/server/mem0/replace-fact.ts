import type { Scope } from '../../api/scope.ts'
import type { Fact } from '../../domain/fact.ts'
import type { Channel } from '../../domain/trust.ts'

/** Stores another text in place of a fact, and takes the fact back. The new fact comes first: nothing is lost if this ends in between. */
export async function replaceFact(
  scope: Scope,
  old: Fact,
  { text, channel }: { readonly text: string; readonly channel: Channel },
): Promise<Fact> {
  const [fact] = await scope.remember({ text }, { channel })
  if (fact.id !== old.id) await scope.retract(old.id, 'updated through Mem0', { channel })
  return fact
}
