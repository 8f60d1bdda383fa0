import { englishIrregular } from './english-irregular.ts'
import { englishRelated } from './english-related.ts'
import { type LanguagePack, numbered, wordSet } from './language-pack.ts'

const months = `january jan
february feb
march
april apr
may
june jun
july jul
august aug
september sept sep
october oct
november nov
december dec`

const monthName =
  'jan(?:uary)?|feb(?:ruary)?|march|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const dayName = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const unit = '(?:second|minute|hour|day|night|week|weekend|month|year|decade)s?'
const numeral =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|hundred|thousand|million|dozen|couple|first|second|third|once|twice|both|several|half'

/** British endings with `s` are read as American ones with `z`: organisation, organised. */
const AMERICAN = /(?<=\p{L}{3})is(e|es|ed|er|ers|ing|ation|ations|ational)$/u

export const english: LanguagePack = {
  name: 'english',
  stemmer: 'english',
  stopWords: wordSet(`
    a an the this that these those some any each every either neither no none not nor
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
    we us our ours ourselves they them their theirs themselves one ones
    am is are was were be been being do does did doing done have has had having will would shall should can could may might must ought
    im ive youre youve youd youll hes shes weve theyre theyve theyd theyll thats theres heres whats wheres whos lets
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant cannot couldnt shouldnt mustnt aint
    and or but if then else than as so because while until though although since unless whether
    of at by for with without about against between into onto through during before after above below to from up down in out on off over
    under again further upon within along across behind beyond among around toward towards via per
    what which who whom whose when where why how there here
    all both few more most other others another such only own same too very just also ever even still already yet
    now s t d ll m o re ve y much many lot lots quite rather really well oh hey hi hello yes yeah okay ok please thanks thank wow
    been being got get gets getting
  `),
  scaffold: wordSet(`
    kind kinds type types sort sorts name names named call called mention mentioned mentions say says said tell told talk talked discuss discussed
    describe described recent recently latest last current currently thing things something anything someone person people way ways
    specific particular different certain example time times date happen happened likely back away
  `),
  steering: wordSet(`
    continue go goes going come stop start again next back more less shorter longer simpler better best shorten expand elaborate proceed undo redo retry
    good great nice fine cool perfect awesome sure sounds sound right correct wrong true false alright welcome sorry bye goodbye night morning evening afternoon
    help know think guess suppose mean means meaning meant understand see look looks want need like likes make makes made do take let use using try give gives show
    example examples answer answers question questions word words sentence sentences text paragraph line lines page number numbers list lists step steps point points
    idea ideas joke jokes poem haiku essay story summary synonym antonym definition difference translation
    translate write rewrite explain summarize summarise convert calculate compute define describe compare generate create draft compose spell count sort solve
    fix check correct improve add remove change turn put set list find search recommend suggest paraphrase proofread format print draw plan design build implement
    code function script program random simple quick quickly short long new old big small little many much work works working
    life say says something anything everything nothing someone today tonight tomorrow now day days year years weather forecast
    one two three four five six seven eight nine ten hundred thousand first second third
  `),
  irregular: englishIrregular,
  related: englishRelated,
  stems: (word, stem) => [stem(AMERICAN.test(word) ? word.replace(AMERICAN, 'iz$1') : word)],
  months: numbered(months, 1, 1),
  seasons: numbered('spring\nsummer\nautumn fall\nwinter', 3, 3),
  capitalsAreNames: true,
  cues: {
    time: new RegExp(
      `\\b(?:yesterday|today|tonight|tomorrow|${dayName}|(?:last|next|this|past|previous|coming|every|each) (?:${unit}|${dayName}|spring|summer|autumn|fall|winter|time|morning|evening|${monthName})|(?:a|an|one|two|three|four|five|six|few|couple of|\\d+) ${unit} (?:ago|before|later)|${unit} ago|in (?:19|20)\\d\\d|(?:${monthName}) \\d{1,2}|\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${monthName})|since|recently|earlier|the other day|soon|o'clock|\\d{1,2} ?[ap]m|(?:19|20)\\d\\d)\\b`,
      'i',
    ),
    number: new RegExp(`\\d|\\b(?:${numeral})\\b`, 'i'),
    place: /\b(?:in|at|to|from|near|around) (?:the |a |my |our )?[A-Z][\p{L}]+/u,
    person:
      /\b(?:mom|mum|mother|dad|father|parents?|sister|brother|siblings?|son|daughter|kids?|child|children|wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|spouse|aunt|uncle|cousins?|niece|nephew|grand(?:ma|pa|mother|father|parents?|son|daughter)|friends?|neighbou?rs?|colleagues?|co-?workers?|boss|manager|teacher|coach|mentor|roommate|family|team|someone|guy|lady|man|woman|people|with [A-Z]\p{L}+)\b/u,
    cause:
      /\b(?:because|since|so that|in order to|due to|thanks to|that's why|the reason|reasons?|therefore|as a result|inspired|motivated|makes? me|made me|helps? me|wanted to|to help|so i)\b/i,
    firstPerson: /\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|our|us)\b/gi,
  },
  asked: [
    [
      'duration',
      /\bhow (?:long|old|much time)\b|\b(?:for )?how many (?:second|minute|hour|day|night|week|month|year)s\b/i,
    ],
    ['count', /\bhow (?:many|much|often)\b|\bnumber of\b|\bcount of\b/i],
    [
      'when',
      /\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bwhich (?:date|day|month|year)\b|\bhow long ago\b|\bsince when\b/i,
    ],
    ['where', /\bwhere\b|\b(?:what|which) (?:place|city|town|country|state|location|venue|restaurant|street)\b/i],
    ['who', /\bwho(?:m|se)?\b|\b(?:what|which) (?:person|people|friends?|relatives?)\b/i],
    ['why', /\bwhy\b|\bhow come\b|\bwhat (?:motivat|inspir|caus|made|prompt|led|reason)\w*|\bfor what reason\b/i],
    [
      'title',
      /\b(?:name|title|called|named)\b|\b(?:what|which) (?:\w+ ){0,2}(?:books?|movies?|films?|songs?|bands?|games?|shows?|series|albums?|novels?|podcasts?|artists?|quotes?|slogans?)\b/i,
    ],
  ],
  asker: /\b(?:i|me|my|mine|myself|i've|i'm|i'd)\b/i,
  assistant: /\b(?:you|your|yours|yourself)\b/i,
}
