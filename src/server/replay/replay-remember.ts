import { factStates, type RememberedFact } from '../../domain/fact.ts'
import { NOTE } from '../../domain/new-fact.ts'
import type { FactsOptions } from '../../api/facts.ts'
import { optionsOf } from '../arguments.ts'
import type { Call } from '../route.ts'
import { type Replay, type ReplayOutcome, byVersion } from '../../access/replay.ts'

const FOUND_MAX = 100

/** Facts are stored all or none, so they are done when each is there and became what it is since. */
export function replayRemember(call: Call): Replay {
  return byVersion(
    () => call.scope.knowledgeVersion(),
    (before) => look(call, before).catch((): ReplayOutcome => 'unknown'),
  )
}

async function look(call: Call, before: number): Promise<ReplayOutcome> {
  const { facts: given } = optionsOf<{ readonly facts?: unknown }>(call)
  const asked = (Array.isArray(given) ? given : [given]).map(queryFor)
  const stored: RememberedFact[] = []
  let older = 0
  for (const query of asked) {
    const found = await call.scope.facts({ ...query, state: factStates, limit: FOUND_MAX })
    const own = found.filter(({ scope }) => scope === call.scope.name)
    const since = own.find(({ revision }) => revision > before)
    if (since !== undefined) stored.push({ ...since, outcome: 'unchanged', closed: [], disputedBy: [] })
    else if (own.length > 0) older += 1
  }
  if (stored.length === asked.length) return { value: { facts: stored } }
  return stored.length === 0 && older === 0 ? 'not done' : 'unknown'
}

function queryFor(fact: unknown): FactsOptions {
  if (typeof fact === 'string') return { predicate: NOTE, object: fact }
  const { subject, predicate, object, text } = fact as Readonly<Record<string, unknown>>
  const name = typeof subject === 'object' && subject !== null ? (subject as { name?: unknown }).name : subject
  return {
    ...(name === undefined ? {} : { subject: name as string }),
    predicate: text === undefined ? (predicate as string) : NOTE,
    object: (text ?? object) as string,
  }
}
