import { type LanguagePack, wordSet } from './language-pack.ts'
import { normaliseWord } from '../normalise-word.ts'
import { neutral } from './neutral.ts'

/** Languages that are recognised and stemmed, and otherwise treated as the neutral one. Their stop words are only their commonest. */
export const stemmed: readonly LanguagePack[] = [
  pack(
    'french',
    'le la les un une des du de et est je tu il elle nous vous ils elles que qui quoi dans sur avec pour par pas ne au aux ce cette ces mon ma mes ton ta son sa ses leur mais ou donc sont suis ai as avons avez ont etait quand comment pourquoi quel quelle y en se plus tres',
  ),
  pack(
    'spanish',
    'el la los las un una unos unas de del y es en que yo tu usted nosotros ellos ellas con por para no su sus mi mis se lo le les al como pero mas este esta estos estas son soy esta estoy fue era ha he han cuando donde quien cual porque muy ya o si me te',
  ),
  pack(
    'portuguese',
    'o os um uma uns umas de do da dos das e em que eu tu voce nos eles elas com por para nao seu sua meu minha se no na nos nas ao mas mais este esta esse essa foi era sao sou esta quando onde quem qual porque muito ja ou',
  ),
  pack(
    'italian',
    'il lo la i gli le un una uno di del della dei delle e ed che io tu lui lei noi voi loro con per non su nel nella al alla da dal mi ti si ci vi ma come questo questa sono sei ho hai ha abbiamo era quando dove chi quale perche molto gia o',
  ),
  pack(
    'dutch',
    'de het een en van ik je jij hij zij ze wij we jullie zijn is was waren heb hebt heeft hebben had met voor op in aan te dat die dit deze niet maar ook als naar om bij uit over dan er mijn jouw haar hun wie wat waar wanneer waarom hoe wel nog',
  ),
  pack(
    'swedish',
    'och att det som en ett pa ar av for med den till inte jag du han hon vi ni de har hade var om men sig sa fran eller nar vad vem varfor hur min din sin ska kan skulle mycket',
  ),
  pack(
    'russian',
    'и в не на я что он она мы вы они с как это то по но из у за к от о же бы так для мне меня тебя его ее их был была было были есть когда где кто почему мой моя твой наш очень уже или',
  ),
]

function pack(stemmer: string, stopWords: string): LanguagePack {
  return { ...neutral, name: stemmer, stemmer, stopWords: wordSet(normaliseWord(stopWords)) }
}
