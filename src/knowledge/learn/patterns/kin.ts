/** Words for people who belong to somebody, and the predicate each stands for. */
const KIN: Readonly<Record<string, string>> = {
  wife: 'spouse',
  husband: 'spouse',
  spouse: 'spouse',
  girlfriend: 'partner',
  boyfriend: 'partner',
  partner: 'partner',
  fiancé: 'partner',
  fiancée: 'partner',
  fiance: 'partner',
  fiancee: 'partner',
  mother: 'mother',
  mom: 'mother',
  mum: 'mother',
  father: 'father',
  dad: 'father',
  sister: 'sister',
  brother: 'brother',
  son: 'son',
  daughter: 'daughter',
  child: 'child',
  kid: 'child',
  baby: 'child',
  grandmother: 'grandmother',
  grandma: 'grandmother',
  grandfather: 'grandfather',
  grandpa: 'grandfather',
  grandson: 'grandson',
  granddaughter: 'granddaughter',
  uncle: 'uncle',
  aunt: 'aunt',
  cousin: 'cousin',
  nephew: 'nephew',
  niece: 'niece',
  'mother-in-law': 'mother_in_law',
  'father-in-law': 'father_in_law',
  'sister-in-law': 'sister_in_law',
  'brother-in-law': 'brother_in_law',
  friend: 'friend',
  'best friend': 'best_friend',
  roommate: 'roommate',
  flatmate: 'roommate',
  neighbour: 'neighbour',
  neighbor: 'neighbour',
  boss: 'boss',
  manager: 'manager',
  colleague: 'colleague',
  coworker: 'colleague',
  'co-worker': 'colleague',
  assistant: 'assistant',
  doctor: 'doctor',
  dentist: 'dentist',
  therapist: 'therapist',
  lawyer: 'lawyer',
  teacher: 'teacher',
  mentor: 'mentor',
  teammate: 'colleague',
  coach: 'coach',
  trainer: 'trainer',
  tutor: 'tutor',
  landlord: 'landlord',
  landlady: 'landlord',
  nanny: 'nanny',
  babysitter: 'babysitter',
  stepmother: 'stepmother',
  stepfather: 'stepfather',
  stepson: 'stepson',
  stepdaughter: 'stepdaughter',
  godmother: 'godmother',
  godfather: 'godfather',
  frau: 'spouse',
  mann: 'spouse',
  ehefrau: 'spouse',
  ehemann: 'spouse',
  freundin: 'partner',
  freund: 'friend',
  'bester freund': 'best_friend',
  'beste freundin': 'best_friend',
  partnerin: 'partner',
  mutter: 'mother',
  mama: 'mother',
  vater: 'father',
  papa: 'father',
  schwester: 'sister',
  bruder: 'brother',
  sohn: 'son',
  tochter: 'daughter',
  oma: 'grandmother',
  großmutter: 'grandmother',
  opa: 'grandfather',
  großvater: 'grandfather',
  enkel: 'grandson',
  enkelin: 'granddaughter',
  onkel: 'uncle',
  tante: 'aunt',
  neffe: 'nephew',
  nichte: 'niece',
  chef: 'boss',
  chefin: 'boss',
  kollege: 'colleague',
  kollegin: 'colleague',
  nachbar: 'neighbour',
  nachbarin: 'neighbour',
  mitbewohner: 'roommate',
  mitbewohnerin: 'roommate',
}

/** Animals and things that have names of their own. */
const OWNED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'dog cat puppy kitten hamster rabbit bunny horse pony parrot bird budgie fish goldfish turtle tortoise snake lizard gecko ferret pet'
      .split(' ')
      .map((word) => [word, word]),
  ),
  ...Object.fromEntries(
    'retriever labrador terrier poodle beagle husky corgi dachshund spaniel bulldog greyhound collie'
      .split(' ')
      .map((word) => [word, 'dog']),
  ),
  hund: 'dog',
  hündin: 'dog',
  katze: 'cat',
  kater: 'cat',
  kaninchen: 'rabbit',
  hase: 'rabbit',
  pferd: 'horse',
  papagei: 'parrot',
  wellensittich: 'budgie',
  schildkröte: 'turtle',
  haustier: 'pet',
}

const THINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'company startup business project product band team boat car blog podcast channel website app school university'
      .split(' ')
      .map((word) => [word, word]),
  ),
  firma: 'company',
  unternehmen: 'company',
  projekt: 'project',
  schule: 'school',
  boot: 'boat',
  auto: 'car',
}

/** Several of them at once. */
const MANY: Readonly<Record<string, string>> = {
  kids: 'child',
  children: 'child',
  sons: 'son',
  boys: 'son',
  daughters: 'daughter',
  girls: 'daughter',
  twins: 'child',
  sisters: 'sister',
  brothers: 'brother',
  siblings: 'sibling',
  parents: 'parent',
  grandparents: 'grandparent',
  grandchildren: 'grandchild',
  grandkids: 'grandchild',
  nieces: 'niece',
  nephews: 'nephew',
  cousins: 'cousin',
  friends: 'friend',
  roommates: 'roommate',
  flatmates: 'roommate',
  colleagues: 'colleague',
  dogs: 'dog',
  cats: 'cat',
  puppies: 'puppy',
  kittens: 'kitten',
  rabbits: 'rabbit',
  hamsters: 'hamster',
  horses: 'horse',
  parrots: 'parrot',
  budgies: 'budgie',
  pets: 'pet',
  kinder: 'child',
  söhne: 'son',
  töchter: 'daughter',
  schwestern: 'sister',
  brüder: 'brother',
  geschwister: 'sibling',
  hunde: 'dog',
  katzen: 'cat',
}

export const manyWords: string = alternatives(MANY)
export const kinWords: string = alternatives(KIN)
export const petWords: string = alternatives(OWNED)
export const thingWords: string = alternatives({ ...OWNED, ...THINGS })

/** The predicate for a word of these lists. */
export function kinPredicate(word: string): string {
  const name = word.toLowerCase()
  return KIN[name] ?? MANY[name] ?? OWNED[name] ?? THINGS[name] ?? name.replaceAll(/[\s-]+/gu, '_')
}

/** Longest first, so that `best friend` is not read as `best`. */
function alternatives(list: Readonly<Record<string, string>>): string {
  return Object.keys(list)
    .toSorted((a, b) => b.length - a.length)
    .join('|')
}
