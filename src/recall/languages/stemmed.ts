import { type LanguagePack, wordSet } from './language-pack.ts'
import { normaliseWord } from '../normalise-word.ts'
import { neutral } from './neutral.ts'

/** Languages in Latin letters that are recognised and stemmed, and otherwise treated as the neutral one. Their stop words are only their commonest. */
export const stemmed: readonly LanguagePack[] = [
  pack(
    'french',
    'le la les un une des du de et est je tu il elle nous vous ils elles que qui quoi dans sur avec pour par pas ne au aux ce cette ces mon ma mes ton ta tes son sa ses leur leurs notre votre mais ou donc sont suis es ai as a avons avez ont avait etait ete sera quand comment pourquoi quel quelle quels quelles combien y en se plus tres me te moi toi on si aussi bien fait faire dit',
    { asker: /(?<!\p{L})(?:[jm]['’]|(?:je|me|moi|mon|ma|mes)(?!\p{L}))/iu },
  ),
  pack(
    'spanish',
    'el la los las un una unos unas de del y es en que yo tu usted nosotros ellos ellas con por para no su sus mi mis se lo le les al como pero mas este esta estos estas ese esa son soy estoy fue era ha he han hay cuando donde quien cual cuanto cuantos cuantas porque muy ya o si me te a e tambien ser tener tengo tiene hace hacer',
    { letters: /[ñ¿¡]/, asker: /(?<!\p{L})(?:yo|me|mi|mis|mío|mía|conmigo)(?!\p{L})/iu },
  ),
  pack(
    'portuguese',
    'o os um uma uns umas de do da dos das e em que eu tu voce nos eles elas com por para nao seu sua meu minha meus minhas se no na nos nas ao aos mas mais este esta esse essa foi era sao sou esta estao quando onde quem qual quanto quantos porque muito ja ou a as me te lhe tem tenho como tambem ser ter',
    { letters: /[ãõ]/, asker: /(?<!\p{L})(?:eu|me|meus?|minhas?|mim|comigo)(?!\p{L})/iu },
  ),
  pack(
    'italian',
    'il lo la i gli le un una uno di del della dei delle e ed che io tu lui lei noi voi loro con per non su nel nella al alla da dal mi ti si ci vi ma come questo questa sono sei e ho hai ha hanno abbiamo era stato stata quando dove chi quale quanto quanti perche molto gia o mio mia miei mie tuo tua suo sua anche piu a in cosa',
    { asker: /(?<!\p{L})(?:io|mi|me|mio|mia|miei|mie)(?!\p{L})/iu },
  ),
  pack(
    'dutch',
    'de het een en van ik je jij hij zij ze wij we jullie zijn is was waren heb hebt heeft hebben had met voor op in aan te dat die dit deze niet maar ook als naar om bij uit over dan er mijn jouw haar hun wie wat waar wanneer waarom hoe wel nog welke hoeveel mij me jou zich moet kan wil werd worden wordt ben bent geen al door tot',
    { compounds: true, asker: /(?<!\p{L})(?:ik|mij|me|mijn|mijne)(?!\p{L})/iu },
  ),
  pack(
    'swedish',
    'och att det som en ett pa ar av for med den till inte jag du han hon vi ni de har hade var om men sig sa fran eller nar vad vem varfor hur min mitt mina din ditt dina sin ska kan skulle mycket mig dig var vart vara vilken vilket vilka manga blir blev i',
    { compounds: true, asker: /(?<!\p{L})(?:jag|mig|min|mitt|mina)(?!\p{L})/iu },
  ),
  pack(
    'danish',
    'og at det som en et pa er af for med den til ikke jeg du han hun vi i de har havde var om men sig sa fra eller nar hvad hvem hvorfor hvordan hvor min mit mine din dit dine sin skal kan ville meget mig dig hvornar hvilken hvilket hvilke mange bliver blev ogsa der vaere',
    { compounds: true, asker: /(?<!\p{L})(?:jeg|mig|min|mit|mine)(?!\p{L})/iu },
  ),
  pack(
    'norwegian',
    'og at det som en ei et pa er av for med den til ikke jeg du han hun vi dere de har hadde var om men seg sa fra eller nar hva hvem hvorfor hvordan hvor min mitt mine din ditt dine sin skal kan ville mye meg deg hvilken hvilket hvilke mange blir ble ogsa der vaere',
    { compounds: true, asker: /(?<!\p{L})(?:jeg|meg|min|mitt|mine)(?!\p{L})/iu },
  ),
  pack(
    'finnish',
    'ja on ei se etta mina sina han me te he oli olen olet olemme ovat mutta tai kun niin myos kuin joka mika mita missa mihin milloin miksi kuka kenen miten minun sinun hanen meidan minulla minut hyvin nyt jo vain ole olla tama tuo ne',
    { compounds: true, asker: /(?<!\p{L})(?:minä|minun|minulla|minut|minua|minulle)(?!\p{L})/iu },
  ),
  pack(
    'hungarian',
    'a az egy es hogy nem is van volt en te o mi ti ok de meg csak ha mar mint ez ezt azt vagyok vagy vannak mikor hol hova honnan ki kinek miert hogyan milyen mennyi hany nekem nagyon lesz lett kell el be fel meg volt voltam enyem',
    { letters: /[őű]/, asker: /(?<!\p{L})(?:én|engem|nekem|enyém|velem|rólam)(?!\p{L})/iu },
  ),
  pack(
    'romanian',
    'si in de la cu pe un o este sunt eu tu el ea noi voi ei ele nu ca ce care sa se am ai are au fost era dar sau din pentru mai meu mea mei mele unde cand cine cum cat cati foarte imi mi isi iti lui ei al ale',
    { letters: /[ășț]/, asker: /(?<!\p{L})(?:eu|mă|îmi|mie|meu|mea|mei|mele)(?!\p{L})/iu },
  ),
  pack(
    'czech',
    'a v na je se ze to s z do o k i jsem jsi jsme jste jsou byl byla bylo byli ale nebo kdyz jak co kdo kde kdy proc kam kolik ja ty on ona my vy oni muj moje moji mam ma mame pro po za uz jen tak velmi ktery ktera ktere me mi',
    { letters: /[ěřů]/, asker: /(?<!\p{L})(?:já|mě|mně|mi|mnou|můj|moje|moji|mou|mého|mojí)(?!\p{L})/iu },
  ),
  pack(
    'turkish',
    've bir bu su o ben sen biz siz onlar da de ki mi mu ile icin gibi daha cok en ne nerede nereye nereden kim kimin neden niye nasil hangi kac zaman var yok degil benim senin onun bizim sizin bana sana ona beni seni onu ama veya ya her sonra once kadar ise diye oldu olan olarak idi',
    {
      letters: /[ğşı]/,
      stems: (word, stem) => [...new Set([stem(word), word].map(cut))],
      asker: /(?<!\p{L})(?:ben|beni|bana|benim|benden|bende)(?!\p{L})/iu,
    },
  ),
]

/** Turkish strings suffixes together, and its stemmer misses many: the first five letters are what the forms of a word share. */
function cut(word: string): string {
  const soft: Readonly<Record<string, string>> = { b: 'p', g: 'k', d: 't' }
  const [beginning, last = ''] = [word.slice(0, 4), word.slice(4, 5)]
  return beginning + (soft[last] ?? last)
}

function pack(stemmer: string, stopWords: string, more: Partial<LanguagePack> = {}): LanguagePack {
  return { ...neutral, name: stemmer, stemmer, stopWords: wordSet(normaliseWord(stopWords)), ...more }
}
