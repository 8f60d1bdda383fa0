/** Verbs as they follow `always`, `never` and `please`. Their other forms are made from these. */
const VERBS = new Set(
  `accept access act add address adjust agree aim align allow annotate answer apologise apologize append apply approve archive arrive ask assert assign
  assume attach attend avoid back bake balance base be become begin believe belong block book borrow bounce break bring browse build bump
  bundle buy cache calculate call cancel care carry cast catch cause change charge chat check choose cite claim clean clear click climb clone
  close code collect combine come comment commit compare compile complain complete compress compute confirm connect consider contact contain
  continue convert cook copy correct cost count cover crash create cross cry cut cycle dance deal debug decide declare default define delay delete
  deliver deploy describe design destroy develop die disable disagree discuss document download draft draw dream drink drive drop dump eat edit
  email embed emit enable encode encrypt end enforce ensure enter escalate escape estimate exceed execute exit expect explain export expose
  express extend extract fail fall feed feel fetch fight figure file fill filter find finish fit fix flag fly fold follow force forget format
  forward freeze generate get give go grab greet group grow guess handle hang happen hardcode hate have hear help hide hire hit hold hope host
  hurt ignore implement import improve include increase indent inform inline insert insist install introduce invent invite invoke join joke jump
  keep kick kill knock know label land last laugh launch lead leak learn leave lend let lie lift like limit link lint list listen live load lock
  log look lose love lower maintain make manage mark match mean measure meet mention merge migrate mind miss mix mock model modify monitor move
  mutate name need nest note notice notify observe offer omit open order overwrite own pack paint park parse pass paste patch pause pay perform
  phone pick pin ping place plan plant play point post practise practice prefer prepare press pretend prevent print process produce promise
  propose protect prove provide publish pull push put query question quit quote raise ran reach read rebase receive recommend record reduce
  refactor refer refresh refuse reject release rely remain remember remind remove rename render repeat replace reply report request require
  rerun reset resolve respect respond rest restart restore retry return reuse reveal review revert rewrite ride ring rise roll rotate round run
  save say scale scan schedule scream search see seem select sell send serve set share ship shop shorten shout show shut sign simplify sing sit
  skip sleep smile sneeze snore solve sort sound speak specify spell spend split squash stage stand start state stay stick stop store stream
  study submit suggest summarise summarize supply support suppose surround swear sweep swim switch sync tag take talk teach tell test text thank
  think throw tie touch trace track train transform translate travel treat trim trust try turn type understand undo update upgrade upload use
  validate verify version view visit vote wait wake walk wander want warn wash waste watch wear win wish wonder work worry wrap write yell`
    .split(/\s+/u)
    .filter((verb) => verb !== 'ran'),
)

/** Past forms that no rule makes, words that join and qualify, and what a sentence goes on with after `my sister`. */
const OTHER = new Set(
  `am is are was were been being had has did does done went gone came said told thought knew known saw seen got gotten made took taken gave given
  found felt left kept held brought bought caught taught sought fought began begun ran run ate eaten drank drunk drove driven wrote written
  spoke spoken broke broken chose chosen forgot forgotten fell fallen flew flown grew grown heard hid hidden hit hurt laid led lent let lost meant met paid
  put quit rode ridden rang rung rose risen sang sung sat sent set shook shaken shone shot shut slept slid sold spent spun stood stole stolen stuck struck
  swam swum swore sworn threw thrown understood woke woken wore worn won wound built burnt dealt dreamt dug
  can could will would shall should may might must ought cannot wont dont doesnt didnt isnt wasnt
  and or but nor so yet for because since although though while when where who whom whose which what why how if unless until than that this these
  those then there here just only even ever never always often sometimes usually also too still already almost again soon now later today
  tomorrow yesterday once twice maybe perhaps not no yes ok okay please very quite rather really with without within from into onto over under
  after before about above below between against during through across along around behind beside beyond by at in on to of off out up down
  as like per via every each all any some both either neither none many most more much less least few several another other same such own
  first second third last next new old young big small little good bad better best worse worst great fine nice happy sad sick ill tired
  busy angry late early pregnant alone asleep awake away back home inside outside upstairs downstairs ready sorry sure
  recently finally actually basically currently originally probably apparently suddenly`.split(/\s+/u),
)

/** Things. An animal may be called Biscuit; a sister is not called Joke. */
const NOUNS = new Set(
  `advice age air answer apartment app appointment art baby back bag bank bar bed bike bill bird birthday board boat body book bottle box boy bread
  breakfast bug building bus business cake camera car card care cat chair chicken child christmas church city class coffee company computer
  country couple course crypto data date day death deal dinner doctor dog door dress drink east email end engine error event example eye face fact
  family farm fault fear feature file film fire fish flat floor flower food foot friend fun future game garden gift girl goal god group hair
  half hand head health heart height help history hobby holiday hope hospital hotel hour house husband idea internet issue job joke key kid
  kitchen language laptop law letter life light line list lunch machine mail man market math meal meeting member message mind minute moment money month
  morning mother mountain mouth movie music name nature network news night nobody noise north note nothing number office oil owner page pain
  paper parent part party past people person phone picture place plan plant plane plate point police post power present price problem product
  project queen question radio rain reason reality river road room rule salt school science sea season service shop show side sister size
  skin sky sleep snow soil son song sport spring stage star station step story street student stuff style summer sun system table tax tea
  teacher team telephone test thing time title toast tooth town toy train tree trip trouble truck truth type uncle university van video village
  voice wall war water way weather week west wife wind window wine winter woman word work world worker writer year satan google siri alexa
  code jesus santa wikipedia netflix youtube amazon facebook chatgpt claude`.split(/\s+/u),
)

/** Given names that are words too: in front of a verb they are more likely the word. */
const NAME_AND_WORD = new Set(
  'will may mark bill grace rose hope joy faith drew chase pat sue frank grant rob dean jack don art ray guy gene skip chuck rich'.split(
    ' ',
  ),
)

/** Whether a word is a verb in the form that an instruction uses. */
export function isBaseVerb(word: string): boolean {
  return VERBS.has(word.toLowerCase())
}

/** Whether a word is a verb in any form, or one of the small words that hold a sentence together. */
export function isVerbOrParticle(word: string): boolean {
  const lower = word.toLowerCase()
  if (VERBS.has(lower) || OTHER.has(lower)) return true
  return bases(lower).some((base) => VERBS.has(base)) || /.{3}(?:ly|ness|tion|ment)s?$/u.test(lower)
}

/** Whether nobody's sister is called so. */
export function isCommonWord(word: string): boolean {
  return isVerbOrParticle(word) || NOUNS.has(word.toLowerCase()) || NOUNS.has(word.toLowerCase().replace(/s$/u, ''))
}

/** Whether what could be a name is a verb here: `my brother Will drive`. */
export function isWordBefore(name: string, rest: string): boolean {
  const [, next = ''] = /^\s(\p{Ll}+)/u.exec(rest) ?? []
  return NAME_AND_WORD.has(name.toLowerCase()) && (isBaseVerb(next) || next === 'not' || next === 'never')
}

/** What a verb would be without its ending. */
function bases(word: string): readonly string[] {
  const stem = /^(.{2,}?)(?:s|es|ed|d|ing)$/u.exec(word)?.[1]
  if (stem === undefined) return []
  const long = word.replace(/(?:es|ed|ing)$/u, '')
  return [
    stem,
    long,
    `${long}e`,
    long.replace(/(.)\1$/u, '$1'),
    long.replace(/i$/u, 'y'),
    word.replace(/s$/u, ''),
    word.replace(/ies$|ied$/u, 'y'),
  ]
}
