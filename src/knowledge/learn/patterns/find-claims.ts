import { defined } from '../../../domain/defined.ts'
import type { LearnedClaim, Material } from '../lesson.ts'
import { addresses } from './addresses.ts'
import { attributes } from './attributes.ts'
import { clauseStarts } from './clauses.ts'
import { decisions } from './decisions.ts'
import { isBaseVerb } from './common-words.ts'
import { days } from './days.ts'
import { habits } from './habits.ts'
import { health } from './health.ts'
import { kinFacts } from './kin-facts.ts'
import { standingInstructions } from './standing-instructions.ts'
import { life } from './life.ts'
import { MASKED, maskForeign } from './mask.ts'
import { names } from './names.ts'
import { notes } from './notes.ts'
import type { PatternClaim, Pattern } from './pattern.ts'
import { beforeName, introducedIn, isNameWithin, isPerson } from './people.ts'
import { places } from './places.ts'
import { relations } from './relations.ts'
import { statementSpans } from './statement-spans.ts'
import { type Taken, stickGroups, takeName } from './take.ts'
import { tastes } from './tastes.ts'
import { isHedged, isNoStatement, isNotOwnClaim, isTextOrJest, isTask } from './vetoes.ts'
import { work } from './work.ts'

/** A claim before its dates were read, and where it stands in the text. */
export interface UndatedClaim {
  readonly draft: PatternClaim
  readonly pattern: Pattern
  readonly start: number
  readonly end: number
  /** What comes before the object, and after it in the sentence: where dates are. */
  readonly lead: string
  readonly rest: string
}

const all: readonly Pattern[] = [
  ...names,
  ...places,
  ...work,
  ...tastes,
  ...health,
  ...relations,
  ...days,
  ...life,
  ...habits,
  ...kinFacts,
  ...attributes,
  ...addresses,
  ...standingInstructions,
  ...decisions,
  ...notes,
]
const ofOthers = all.filter(({ about }) => about === 'named')
const standing = all.filter((pattern) => pattern.standing === true)
/** Only what may stand in the middle of a clause. */
const mentions = all.filter(({ anywhere }) => anywhere === true)
const MENTION = /(?<=\s)(?:my|our)\s/giu
/** The speaker is the subject, and a second verb follows. */
const OWN_SUBJECT = /(?:^|[,;:]\s|^\p{L}+\s)(i|ich)\s[^,;:]{2,80}\s(?:and|und)\s{1,4}(?:also |auch )?$/iu
/** In the form that goes with `I`. */
const OWN_VERB =
  /^(?:work|live|love|like|hate|prefer|drive|speak|play|study|own|arbeite|wohne|lebe|liebe|hasse|mag|spiele|trinke|esse|spreche|fahre)\s/iu
/** Before somebody who is that no more. */
const PARTED =
  /\b(?:broke up with|split (?:up )?(?:from|with)|divorced|left|dumped|lost|buried|instead of|unlike|without|not)\s$/iu

/**
 * Everything that a text says by one of the patterns, sentence by sentence, so that others get their turn in a long one.
 * What users say of themselves is theirs alone to say.
 */
export function* findClaims(text: string, role: Material['role']): Generator<readonly UndatedClaim[]> {
  if (isTextOrJest(text)) return
  yield NOTHING
  const masked = maskForeign(text)
  yield NOTHING
  const patterns = role !== 'user' ? ofOthers : isTask(text) ? standing : all
  const whole: Whole = { text: masked, introduced: introducedIn(masked) }
  yield NOTHING
  for (const { start, end } of statementSpans(masked)) {
    const sentence = masked.slice(start, end)
    if (!/[\p{L}\p{N}]/u.test(sentence) || isNoStatement(sentence)) continue
    const found = withoutRepeats([...inSentence(sentence, patterns, role === 'user', whole)])
    yield found.map((finding) => ({ ...finding, start: start + finding.start, end: start + finding.end }))
  }
}

/** In both widths that strings have: an engine compiles a pattern for each when it first meets it. */
const SPECIMENS = ['I live in Rome.', `I live in Rome${MASKED}.`]

/** Runs every pattern on next to nothing: compiling them all takes longer than anybody else should have to wait. */
export function* compilePatterns(): Generator<void> {
  for (const pattern of all) {
    for (const specimen of SPECIMENS)
      // Not optimised before its second run.
      for (let run = 0; run < 2; run++) {
        stickGroups(pattern.lead, specimen, 0)
        pattern.object?.(specimen, 0)
        if (pattern.after !== undefined) stickGroups(pattern.after, specimen, 0)
      }
    yield
  }
}

/** What a sentence is judged by, besides itself. */
interface Whole {
  readonly text: string
  readonly introduced: ReadonlySet<string>
}

function* inSentence(
  sentence: string,
  patterns: readonly Pattern[],
  own: boolean,
  whole: Whole,
): Generator<UndatedClaim> {
  const starts = clauseStarts(sentence)
  for (const start of starts) {
    if (isNotOwnClaim(sentence.slice(0, start))) break
    const named = takeSubject(sentence, start)
    const opens = isOrderPlace(sentence.slice(0, start))
    for (const pattern of patterns) {
      if (pattern.standing === true && !opens) continue
      const found = findAt(pattern, sentence, start, named)
      if (found.length > 0)
        yield* named === undefined || pattern.about !== 'named'
          ? found
          : found.filter(({ lead }) => isPersonEnough(pattern, named, lead, whole))
    }
    if (own) yield* withoutSubject(sentence, start, patterns)
  }
  if (!own) return
  for (const { index } of sentence.matchAll(MENTION)) {
    const before = sentence.slice(0, index)
    if (starts.includes(index) || isNotOwnClaim(before) || PARTED.test(before)) continue
    for (const pattern of mentions) yield* findAt(pattern, sentence, index)
  }
}

/** `I live in Graz and work as a joiner`: the second verb has the subject of the first. */
function* withoutSubject(sentence: string, start: number, patterns: readonly Pattern[]): Generator<UndatedClaim> {
  const [before, after] = [sentence.slice(0, start), sentence.slice(start)]
  const subject = OWN_SUBJECT.exec(before)?.[1]
  if (subject === undefined || !OWN_VERB.test(after)) return
  const whole = `${before}${subject} ${after}`
  const added = subject.length + 1
  for (const pattern of patterns) {
    if (pattern.about !== 'speaker' || pattern.standing === true) continue
    for (const found of findAt(pattern, whole, start)) yield { ...found, end: found.end - added }
  }
}

/** Whether an order may follow: not after `they crash and`, where somebody else does it. */
function isOrderPlace(before: string): boolean {
  if (!/[\p{L}\d]\s+(?:and|but|because|und|aber)\s+(?:also |auch )?$/iu.test(before)) return true
  const [, first = ''] = /^\W{0,3}(?:please |ok |okay |so |then )?([\p{L}'’]+)/iu.exec(before) ?? []
  return isBaseVerb(first) || /^(?:always|never|don['’]t|do|we|i|we['’]re|we['’]ve|i['’]m|let['’]s)$/iu.test(first)
}

const NOTHING: readonly UndatedClaim[] = []

/** Not a generator: nearly every pattern finds nothing at nearly every place, and making one each time took most of the memory of a lesson. */
function findAt(pattern: Pattern, sentence: string, start: number, subject?: Taken): readonly UndatedClaim[] {
  const named = pattern.about === 'named' ? subject : undefined
  if (pattern.about === 'named' && named === undefined) return NOTHING
  const leadAt = named?.end ?? start
  const lead = stickGroups(pattern.lead, sentence, leadAt)
  if (lead === undefined) return NOTHING
  const objectAt = leadAt + lead[0].length
  const object = pattern.object === undefined ? { text: '', end: objectAt } : pattern.object(sentence, objectAt)
  if (object === undefined) return NOTHING
  const after = pattern.after === undefined ? undefined : stickGroups(pattern.after, sentence, object.end)
  if (pattern.after !== undefined && after === undefined) return NOTHING
  const drafts = pattern.claim({
    ...defined({ subject: named?.text }),
    object: object.text,
    groups: { ...lead.groups, ...after?.groups },
  })
  if (drafts === undefined) return NOTHING
  const end = object.end + (after?.[0].trimEnd().length ?? 0)
  const rest = sentence.slice(end)
  if (isHedged(rest)) return NOTHING
  return [drafts]
    .flat()
    .filter((draft) => draft.object !== '')
    .map((draft) => ({ draft, pattern, start, end, lead: lead[0], rest }))
}

interface Subject extends Taken {
  /** The sentence says whose or what sort of person it is. */
  readonly isSomebody: boolean
}

/** `Ann`, `My sister Ann` or `Dr. Ann Lee`. */
function takeSubject(sentence: string, start: number): Subject | undefined {
  const before = beforeName(sentence, start)
  const named = before === '' ? undefined : takeName(sentence, start + before.length)
  const name = named ?? takeName(sentence, start)
  return name === undefined ? undefined : { ...name, isSomebody: named !== undefined }
}

function isPersonEnough({ person }: Pattern, { text, isSomebody }: Subject, lead: string, whole: Whole): boolean {
  if (person === undefined || isSomebody || isPerson(text, whole.introduced)) return true
  return person === 'likely' && isNameWithin(whole.text, text, lead)
}

/** A note that only repeats what was understood is not needed, nor is a claim found twice. */
function withoutRepeats(found: readonly UndatedClaim[]): readonly UndatedClaim[] {
  const facts = found.filter(({ draft }) => draft.predicate !== 'note')
  const kept = facts.length > 0 ? facts : found
  const keyOf = ({ draft: { subject = '', predicate, object }, pattern }: UndatedClaim): string =>
    JSON.stringify([subject, predicate, object, pattern.closes === true] satisfies (LearnedClaim['object'] | boolean)[])
  return [...new Map(kept.map((finding) => [keyOf(finding), finding])).values()]
}
