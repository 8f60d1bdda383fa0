import type { LearnedClaim, NameType } from '../lesson.ts'

/** What `compromise` is asked for. Structural, because it is optional. */
interface Words {
  people(): { readonly found: boolean }
  places(): { readonly found: boolean }
  organizations(): { readonly found: boolean }
}

export type Tagger = (text: string) => Words

/** Loads `compromise` if it is installed; without it, types are those that the sentences themselves give. */
export async function loadTagger(): Promise<Tagger | undefined> {
  try {
    const { default: tag } = await import('compromise')
    return (text) => tag(text) as unknown as Words
  } catch {
    return undefined
  }
}

const NAME = /^\p{Lu}/u

/** Says what a name stands for where the sentence left it open. Values that are no names stay as they are. */
export async function withTypes(
  claims: readonly LearnedClaim[],
  load: () => Promise<Tagger | undefined>,
): Promise<readonly LearnedClaim[]> {
  if (!claims.some((claim) => isOpen(claim.subject, claim.subjectType) || isOpen(claim.object, claim.objectType)))
    return claims
  const tag = await load()
  if (tag === undefined) return claims
  return claims.map((claim) => {
    const subjectType = isOpen(claim.subject, claim.subjectType) ? typeOf(tag, claim.subject) : claim.subjectType
    const objectType = isOpen(claim.object, claim.objectType) ? typeOf(tag, claim.object) : claim.objectType
    return { ...claim, ...(subjectType && { subjectType }), ...(objectType && { objectType }) }
  })
}

function isOpen(name: string, type: NameType | undefined): boolean {
  return type === undefined && name.length <= 60 && NAME.test(name)
}

function typeOf(tag: Tagger, name: string): NameType | undefined {
  const words = tag(name)
  if (words.people().found) return 'person'
  if (words.places().found) return 'place'
  return words.organizations().found ? 'organization' : undefined
}
