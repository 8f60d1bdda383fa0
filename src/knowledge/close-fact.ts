import type { ParsedFact } from '../domain/new-fact.ts'
import { OPEN_START } from '../domain/span.ts'
import type { Asking } from '../ports/knowledge-store.ts'
import { type KnowledgeEdit, nameSpace, putFact, slotOf } from './knowledge-edit.ts'
import { gatherEvidence } from './evidence.ts'
import { keysOfName } from './facts.ts'
import { objectKey } from './keys.ts'
import { type KnownFact, spansOf, withSpans } from './known-fact.ts'
import { learnedAlready } from './repeated-evidence.ts'

/** When something ceased to be so. */
export interface Ending {
  readonly at: number
  /** Whether somebody said when. Otherwise it is only known to be over by then. */
  readonly told: boolean
}

/**
 * Ends a fact that is known and not over: the same subject, predicate and object, in the own scope. Nothing else is changed: that
 * something is not so says neither since when it was so, nor what was so instead. Where nothing matches, or what does is trusted
 * more, nothing is stored. The time it had taken from others stays taken.
 */
export function* closeFact(draft: KnowledgeEdit, given: ParsedFact, ending: Ending): Asking<readonly string[]> {
  return yield* closeAll(draft, given, yield* matching(draft, given), ending)
}

/** Ends what else is known of the same subject and predicate: somebody who has moved lives in the former place no more. */
export function* closeOthers(draft: KnowledgeEdit, given: ParsedFact, ending: Ending): Asking<readonly string[]> {
  const same = new Set((yield* matching(draft, given)).map(({ id }) => id))
  const others = (yield* ofPredicate(draft, given)).filter(({ id }) => !same.has(id))
  return yield* closeAll(draft, given, others, ending)
}

function* closeAll(
  draft: KnowledgeEdit,
  given: ParsedFact,
  facts: readonly KnownFact[],
  ending: Ending,
): Asking<readonly string[]> {
  const evidence = yield* gatherEvidence(draft, given, undefined)
  const closed: string[] = []
  for (const fact of facts) {
    const end = endOf(draft, fact, ending)
    if (end === undefined || fact.trust > evidence.trust) continue
    const repeated = yield* learnedAlready(draft, fact.id, evidence)
    if (!repeated) draft.sources.push(...evidence.sources.map((source) => ({ ...source, fact: fact.id })))
    const spans = spansOf(fact).flatMap(({ from, to }) => (from < end ? [{ from, to: Math.min(to, end) }] : []))
    // Its start is written down too: worked out again without it, the fact would reach back over what was before.
    const from = fact.body.claim.from ?? (fact.validFrom <= OPEN_START ? null : fact.validFrom)
    const sources = evidence.sources.map(({ source }) => source)
    const endings = [...(fact.body.endings ?? []), { sources, claim: fact.body.claim }]
    putFact(draft, withSpans({ ...fact, body: { ...fact.body, claim: { from, to: end }, endings } }, spans))
    closed.push(fact.id)
  }
  return closed
}

function* matching(draft: KnowledgeEdit, { subject, predicate, object }: ParsedFact): Asking<readonly KnownFact[]> {
  const space = nameSpace(draft)
  const subjects = subject === null ? [''] : yield* keysOfName(space, subject.name)
  const isEntity = typeof object === 'object' && 'entity' in object
  const objects = isEntity
    ? (yield* keysOfName(space, object.entity)).map((key) => objectKey(object, key))
    : [objectKey(object)]
  const found: KnownFact[] = []
  for (const one of objects) found.push(...(yield* slotOf(draft, { subjects, predicate, object: one })))
  return found.filter(({ scope, standing }) => scope === draft.scope && standing === 'held')
}

function* ofPredicate(draft: KnowledgeEdit, { subject, predicate }: ParsedFact): Asking<readonly KnownFact[]> {
  const subjects = subject === null ? [''] : yield* keysOfName(nameSpace(draft), subject.name)
  const found = yield* slotOf(draft, { subjects, predicate })
  return found.filter(({ scope, standing }) => scope === draft.scope && standing === 'held')
}

/** None if the fact is over by then, or had not begun. */
function endOf(draft: KnowledgeEdit, fact: KnownFact, { at, told }: Ending): number | undefined {
  const { validFrom, validTo } = fact
  const now = draft.mark.at
  if (told) return validFrom < at && at < validTo ? at : undefined
  if (validTo <= now) return undefined
  // What was learned late began, as far as is known, when it was learned: after it was said to be over.
  return validFrom < at && at < now ? at : Math.max(now, validFrom)
}
