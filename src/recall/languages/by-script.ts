import { normaliseWord } from '../normalise-word.ts'
import { koreanStems } from './korean-stems.ts'
import { type LanguagePack, wordSet } from './language-pack.ts'
import { neutral } from './neutral.ts'

/** Languages that are recognised by their script alone. Ukrainian is read as Russian and Marathi as Hindi: close enough to find words. */
export const byScript: readonly (readonly [script: RegExp, pack: LanguagePack])[] = [
  [
    /\p{Script=Cyrillic}/u,
    pack(
      'russian',
      'и в не на я что он она оно мы вы они с со как это этот эта эти то тот та те по но из у за к ко от до о об же бы так для мне меня мной тебя тебе его ее ему ей их им нам нас вам вас был была было были есть быть буду будет когда где куда откуда кто кого кому чей чья почему зачем какой какая какое какие какую каком каким сколько который которая которые мой моя мое мои моего моей моем мою моих твой твоя наш наша наши ваш свой свою очень уже или ли да нет а еще тоже только там тут здесь если чем при во все всё всех',
      {
        stemmer: 'russian',
        asker: /(?<!\p{L})(?:я|мне|меня|мной|мо[йяеёию]|моего|моей|моём|моем|моих|моим)(?!\p{L})/iu,
        assistant: /(?<!\p{L})(?:ты|тебе|тебя|вы|вам|вас)(?!\p{L})/iu,
        asked: [
          ['when', /(?<!\p{L})(?:когда|в каком (?:году|месяце)|какого числа)(?!\p{L})/iu],
          ['where', /(?<!\p{L})(?:где|куда|откуда)(?!\p{L})/iu],
          ['count', /(?<!\p{L})сколько(?!\p{L})/iu],
          ['who', /(?<!\p{L})(?:кто|кого|кому|с кем|чей|чья)(?!\p{L})/iu],
        ],
      },
    ),
  ],
  [
    /\p{Script=Arabic}/u,
    pack(
      'arabic',
      'في من على إلى عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أنت أن إن كان كانت يكون لا ما لم لن قد كل بعد قبل عند ثم أو و يا أي أين متى كيف لماذا كم هل ماذا من لي له لها لنا عندي عندما حيث إذا لكن غير بين حتى ليس جدا كما منذ ما هو ما هي',
      {
        stems: (word) => [arabicStem(word)],
        asker: /(?<!\p{L})(?:أنا|انا|لي|عندي|لدي|مني|عني)(?!\p{L})|(?<!\p{L})\p{L}{3,}ي(?!\p{L})/u,
      },
    ),
  ],
  [
    /\p{Script=Devanagari}/u,
    pack(
      'hindi',
      'का की के को से में पर है हैं था थी थे हो होता होती होते और या यह वह ये वे मैं हम तुम आप मेरा मेरी मेरे हमारा तुम्हारा आपका उसका उसकी उनके इस उस कि जो क्या कौन कब कहाँ कहां क्यों कैसे कितना कितने कितनी कौनसा किस किसने किसका किसकी ने तो भी ही नहीं न मुझे मुझको उसे हमें एक कर करता करते करती करना किया रहा रही रहे गया गई गए लिए साथ बाद तक अब जब अपना अपनी अपने हूँ हूं',
      { stems: (word) => [hindiStem(word)], asker: /मैं|मैंने|मुझ|मेर[ाीे]/u },
    ),
  ],
  [
    /\p{Script=Tamil}/u,
    pack('tamil', 'ஒரு இந்த அந்த என்ன எங்கே எப்போது யார் ஏன் எப்படி நான் நீ அவர் அது இது என் எனது மற்றும் உள்ளது', { stemmer: 'tamil' }),
  ],
  [
    /\p{Script=Armenian}/u,
    pack('armenian', 'և եւ է են մի որ այս այդ ես դու նա մենք իմ քո ինչ որտեղ երբ ով ինչու', { stemmer: 'armenian' }),
  ],
  [
    /\p{Script=Greek}/u,
    pack(
      'greek',
      'και το τα η ο οι του της των τον την τους τις σε στο στη στην στον στα με για από που είναι ήταν εγώ εσύ αυτός μου σου μας σας τους δεν θα να τι ποιος ποια ποιο πού πότε πώς γιατί πόσο πόσα ένα μια ένας έχω έχει κι αν αλλά ή',
      {
        stems: (word) => [word.replace(/(?<=.{3})(?:ους|ου|ος|οι|ων|ες|ης|ας|εις|ει|ω|α|η|ο|ι|υ|ε)σ?$/u, '')],
        asker: /(?<!\p{L})(?:εγώ|μου|με|εμένα)(?!\p{L})/iu,
      },
    ),
  ],
  [
    /\p{Script=Hangul}/u,
    pack(
      'korean',
      '나 내 나는 내가 나의 저 제 저는 제가 너 네 우리 그 이 저 것 수 등 및 그리고 또는 하지만 무엇 뭐 무슨 언제 어디 어디서 어디에 누구 누가 왜 어떻게 몇 얼마 어느 있다 있어 있나요 있었다 없다 했다 한다 하는 하다 이다 입니다 합니다 했어 했지 했나요 인가요 였지 뭐였지 뭐야 좀 더 잘 안',
      { stems: koreanStems, asker: /(?<!\p{L})(?:나|내|저|제)(?:가|는|를|의|게|한테)?(?!\p{L})/u },
    ),
  ],
  [
    /\p{Script=Thai}/u,
    pack(
      'thai',
      'ที่ และ ของ ใน เป็น มี ได้ ให้ ว่า ไม่ จะ กับ แต่ หรือ ก็ นี้ นั้น ฉัน ผม ดิฉัน คุณ เขา เธอ เรา มัน อะไร ไหน ที่ไหน เมื่อไหร่ เมื่อไร ใคร ทำไม อย่างไร ยังไง กี่ เท่าไหร่ เท่าไร ครับ ค่ะ คะ นะ มา ไป อยู่ แล้ว ด้วย จาก ถึง โดย คือ กัน อีก บ้าง ไหม หน่อย การ ความ ตอน',
      { asker: /ฉัน|ผม|ดิฉัน/u },
    ),
  ],
]

const ARABIC_PREFIX = /^(?:وال|بال|كال|فال|لل|ال|و(?=.{4}))(?=.{2})/u
const ARABIC_SUFFIX = /(?<=.{2})(?:ها|ان|ات|ون|ين|يه|نا|كم|هم|ه|ي)$/u

/** Light stemming: the article, joined words and endings. Snowball's stemmer also takes letters of the root (سيارتي to يارت). */
function arabicStem(word: string): string {
  const bare = word.replace(ARABIC_PREFIX, '')
  return bare.replace(ARABIC_SUFFIX, '').replace(/(?<=.{3})ت$/u, '')
}

const HINDI_SUFFIX =
  /(?<=.{2})(?:ियाँ|ियां|ियों|ाएगा|ाएगी|ाएंगे|ाकर|ाइए|ाईं|ाया|ेगी|ेगा|ेंगे|ाने|ाना|ाते|ाती|ाता|ाओं|ाएं|ुओं|कर|ाओ|िए|ाई|ाए|ने|नी|ना|ते|ती|ता|ीं|ां|ों|ें|ो|े|ू|ु|ी|ि|ा)$/u

function hindiStem(word: string): string {
  return word.replace(HINDI_SUFFIX, '')
}

function pack(name: string, stopWords: string, more: Partial<LanguagePack>): LanguagePack {
  return { ...neutral, name, stopWords: wordSet(normaliseWord(stopWords)), ...more }
}
