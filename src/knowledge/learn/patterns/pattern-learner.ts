import { setImmediate } from 'node:timers/promises'
import { holdsSecret } from '../holds-secret.ts'
import type { LearnedClaim, Learned, Learner, Material } from '../lesson.ts'
import { USER } from '../../user.ts'
import { type UndatedClaim, compilePatterns, findClaims } from './find-claims.ts'
import { type Tagger, loadTagger, withTypes } from './name-types.ts'
import { type LoadChrono, readDay, readMoment } from './when.ts'

/** What says since when or until when, right after what it concerns. */
const SINCE =
  /^[\s,]{0,3}(?=(?:since|seit|as of|in|im|on|last|this|yesterday|letzte[nsrm]?|gestern|vor|(?:\d{1,3}|an?|two|three|four|five|six|ten) (?:days?|weeks?|months?|years?) ago)\s?)/iu
const UNTIL = /^[\s,]{0,3}(?:until|till|bis)\s/iu
const SINCE_BEFORE = /\b(?:since|seit)\s(.{1,25}?)(?=\s(?:in|bei|für|ich|wohne|lebe)\b)/iu
const ENDED = /\b(?:since|seit|as of|moved|quit|left|lost|resigned|laid off|fired)\b/iu
const REST_CHARACTERS = 60
const TURN_MS_MAX = 4

interface Loaders {
  readonly chrono: LoadChrono
  readonly tagger: () => Promise<Tagger | undefined>
}

/**
 * Learns by patterns, without a model: what people say about themselves and those they know, in English and German. Says
 * nothing rather than something doubtful. Its helpers are loaded when they are needed, and once.
 */
export function patternLearner(
  loaders: Loaders = { chrono: once(() => import('chrono-node')), tagger: once(loadTagger) },
): Learner {
  let compiled = false
  return async (materials) => {
    const learned: Learned[] = []
    const rest = pauses()
    if (!compiled) {
      compiled = true
      for (const _ of compilePatterns()) await rest()
    }
    for (const material of materials) {
      for (const text of material.texts) learned.push(...(await learnFrom(material, text, loaders, rest)))
    }
    return { learned, remarks: [] }
  }
}

async function learnFrom(
  material: Material,
  text: string,
  loaders: Loaders,
  rest: () => Promise<void> | undefined,
): Promise<readonly Learned[]> {
  const claims: LearnedClaim[] = []
  for (const findings of findClaims(text, material.role)) {
    for (const finding of findings) {
      const claim = await completed(finding, material, text, loaders.chrono)
      if (claim !== undefined && !holdsSecret(claim.quote)) claims.push(claim)
    }
    await rest()
  }
  const { id, seq, role, at } = material
  const typed = await withTypes(claims, loaders.tagger)
  return typed.map((claim) => ({ ...claim, source: { id, seq, role, at } }))
}

/** The claim with its dates. One that should be a day and is none is no claim. */
async function completed(
  { draft, pattern, start, end, lead, rest }: UndatedClaim,
  { name, at }: Material,
  text: string,
  chrono: LoadChrono,
): Promise<LearnedClaim | undefined> {
  const { closes, confidence, dated, day, replaces } = pattern
  const claim = {
    ...draft,
    subject: draft.subject ?? name ?? USER,
    confidence,
    ...(closes && { closes }),
    ...(replaces && { replaces }),
  }
  if (day !== undefined) {
    const read = await readDay(draft.object.slice(0, REST_CHARACTERS), at, chrono, day)
    const unread = draft.object.length - (read?.length ?? 0)
    return read === undefined ? undefined : { ...claim, object: read.iso, quote: text.slice(start, end - unread) }
  }
  const dates = dated === true ? await datesOf(lead, rest.slice(0, REST_CHARACTERS), at, chrono) : { length: 0 }
  const { length, ...valid } = closes === true ? asEnd(dates, `${lead}${rest.slice(0, REST_CHARACTERS)}`) : dates
  return { ...claim, ...valid, quote: text.slice(start, end + length) }
}

/** Of what is over, a date says when it ended: `no longer since May`, `quit last week`. `Lived there in 2019` does not say when. */
function asEnd({ length, validFrom, validTo }: Dates, said: string): Dates {
  const end = validTo ?? (ENDED.test(said) ? validFrom : undefined)
  return end === undefined ? { length: 0 } : { validTo: end, length }
}

type Dates = Pick<LearnedClaim, 'validFrom' | 'validTo'> & { readonly length: number }

async function datesOf(lead: string, rest: string, at: string, chrono: LoadChrono): Promise<Dates> {
  const until = UNTIL.exec(rest)?.[0].length
  if (until !== undefined) {
    const moment = await readMoment(rest.slice(until), at, chrono)
    return moment === undefined || moment.iso > at
      ? { length: 0 }
      : { validTo: moment.iso, length: until + moment.length }
  }
  const before = SINCE_BEFORE.exec(lead)?.[1]
  if (before === undefined && !SINCE.test(rest)) return { length: 0 }
  const moment = await readMoment(before ?? rest, at, chrono)
  // What begins later than it was said is a plan.
  if (moment === undefined || moment.iso > at) return { length: 0 }
  return { validFrom: moment.iso, length: before === undefined ? moment.length : 0 }
}

/** Lets others run when this has run for a while. */
function pauses(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < TURN_MS_MAX) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => (made ??= make())
}
