import { kinWords, petWords } from './kin.ts'
import { NO_PLACE } from './take.ts'

/**
 * Given names that are common somewhere and rarely name a thing. A sentence begins with a capital whatever it begins with:
 * `Redis works for …` and `Maria works for …` differ in nothing else.
 */
const GIVEN = new Set(
  `aaron abdul abigail adam ahmed aisha alan albert alejandro alex alexander alexandra ali alice alicia amanda amelia amir amy ana andrea
  andreas andrew angela anita anja anke anna anne annette annie antje anton antonio anya arjun arthur ashley astrid ayşe barbara beate
  ben benjamin bernd bettina birgit bob boris brian camille carla carlos carmen caroline catherine cecilia charlotte chen chiara chris christian
  christina christine christoph christopher claudia clara clemens cornelia daniel daniela david deborah denise dennis diana diego dieter dimitri
  dirk dmitri dominik donald dorothea edgar edward elena eleni elias elif elisabeth elizabeth ella ellen emil emilia emily emma eric erik esther
  eva fabian fatima felix fernando florian fiona franz frank frieda fritz gabriel gabriele georg george gerhard gertrud giovanni giulia grace
  greta hannah hans harald harry hassan heike heinz helen helena helga henrik henry hiroshi holger hugo ibrahim igor ines inga ingrid irene
  isabel isabella ivan jack jakob james jamie jan jane janet javier jean jennifer jens jessica jim joan joanna jochen johannes john jonas
  jonathan jorge jose josef joseph joyce juan judith julia julian juliane jürgen kai karen karin karl karla katarina kate katharina katja kenji
  kerstin kevin khalid kim klaus konrad kurt lars laura lea lena leo leon leonie lily linda lisa lorenzo louis louise luca lucas lucia ludwig
  luis luisa lukas lydia magdalena malik manfred manuel marc marcel marco marcus margaret maria marie mario marion mark markus marta martin
  martina mary mateo mathias matthew matthias max maximilian megan mehmet mei melanie mia michael michelle miguel mira miriam mohamed mohammed
  monika moritz muhammad nadia nadine natalia natalie nathan nicholas nico nicole nikola nils nina noah nora nuria olaf oleg olga oliver olivia
  omar oskar otto pablo paolo patricia patrick paul paula pedro peter petra philip philipp pia pierre priya rachel rafael rahul rainer ralf
  ramon raj rebecca renate ricardo richard rita robert roberto roland roman rosa rudolf ruth ryan sabine samira samuel sandra sara sarah
  saskia sebastian sergio sharon silke silvia simon simone sofia sophia sophie stefan stefanie stephanie stephen steven susan susanne svenja
  sven tanja tatiana thomas thorsten tim tina tobias tom tomasz ulrich ulrike ursula ute uwe valentina vanessa vera victoria viktor vincent
  walter werner wilhelm william wolfgang yasmin yuki yusuf zainab zoe ann ada bill carl dave diane don doris elsa erika eve fred gina gloria
  gustav heidi hilda ida irma jeff jenny joe joey josh juana kathy keith ken larry leila liam lucy maja marek margot mike milan mona nancy
  nick pam pat phil rob ron rose sally sam scott sean steve sue ted theo tony vic wendy will`.split(/\s+/u),
)
const TITLE = String.raw`(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau)\.?\s`
const WHOSE = String.raw`(?:my|your|our|his|her|their|meine?|deine?|unsere?|seine?|ihre?)\s`
const KIN = String.raw`(?:[\p{Ll}-]{3,12}\s)?(?:${kinWords}|${petWords}),?\s`
const BEFORE_NAME = new RegExp(String.raw`(?:${WHOSE}${KIN}|${TITLE})(?=\p{L})`, 'iuy')
const INTRODUCED = new RegExp(String.raw`(?:(?<![\p{L}])${WHOSE}${KIN}|(?<![\p{L}])${TITLE})(\p{L}{2,30})`, 'giu')
const CAPITAL = /^\p{Lu}/u
/** In German every noun has a capital: none shows that a name is one. */
const GERMAN = /\b(?:wohnt|lebt|arbeitet|kommt|stammt|hasst|liebt|mag|ist)\b/u

/** What comes before a name and says that it is somebody's: `my sister`, `Dr.` */
export function beforeName(sentence: string, start: number): string {
  BEFORE_NAME.lastIndex = start
  const found = BEFORE_NAME.exec(sentence)?.[0] ?? ''
  return CAPITAL.test(sentence.slice(start + found.length)) ? found : ''
}

/** Names that a text gives to somebody. */
export function introducedIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(INTRODUCED)].flatMap(([, name = '']) => (CAPITAL.test(name) ? [name] : [])))
}

/** Whether a name is a person's as far as the text shows. */
export function isPerson(name: string, introduced: ReadonlySet<string>): boolean {
  const [first = ''] = name.split(/[\s.-]/u, 1)
  return introduced.has(first) || GIVEN.has(first.toLowerCase())
}

/** Whether a text writes a name with a capital where no sentence begins: then it is a name, if not certainly a person's. */
export function isNameWithin(text: string, name: string, lead: string): boolean {
  if (GERMAN.test(lead) || NO_PLACE.has(name.toLowerCase())) return false
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
    if (/[\p{Ll},]\s$/u.test(text.slice(Math.max(0, at - 2), at)) && !/^\p{L}/u.test(text.slice(at + name.length)))
      return true
  return false
}
