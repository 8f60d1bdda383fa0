import { normaliseWord } from '../normalise-word.ts'
import { wordSet } from './language-pack.ts'

/**
 * Greetings, thanks, consent and tasks for a model, in languages whose pack has no such words. "Merci" alone does not tell its
 * language, so that they are one list.
 */
export const steeringElsewhere: ReadonlySet<string> = wordSet(
  normaliseWord(`
    bonjour bonsoir salut coucou merci beaucoup bienvenue revoir bientot accord oui non ok super parfait genial bien bon bonne nuit soiree journee matin plait stp svp
    peux peut pouvez pourrais continue continuez encore aide aidez explique expliquez ecris ecrivez redige traduis traduisez traduire resume resumez corrige reformule raconte racontez donne donnez dis calcule calculez
    blague blagues poeme haiku histoire phrase phrases mot mots texte exemple exemples question reponse liste drole temps meteo aujourd hui anglais francais espagnol

    hola buenos buenas dias tardes noches gracias muchas adios luego vale claro perfecto bueno bien nada favor si
    puedes podrias continua sigue ayuda ayudame explica explicame escribe escribeme traduce resume resumen corrige cuenta cuentame dame dime calcula convierte genera crea haz hazme
    chiste chistes poema cuento historia frase frases palabra palabras texto ejemplo ejemplos pregunta respuesta lista gracioso tiempo clima ingles frances

    ola oi bom boa dia tarde noite obrigado obrigada tchau claro certo perfeito sim nao favor
    pode poderia continue ajuda ajude explique escreva traduza resuma corrija conte diga calcule piada poema historia frase palavra texto exemplo pergunta resposta lista

    ciao salve buongiorno buonasera buonanotte grazie mille prego arrivederci perfetto bene va si no favore
    puoi potresti continua aiuto aiutami spiega spiegami scrivi scrivimi traduci riassumi correggi racconta raccontami dammi dimmi calcola barzelletta poesia storia frase parola testo esempio domanda risposta elenco

    hoi hallo dag goedemorgen goedemiddag goedenavond welterusten dank bedankt dankjewel graag doei prima goed oke ja nee alsjeblieft
    kun kunt verder help schrijf vertaal samen corrigeer vertel geef bereken grap gedicht verhaal zin woord tekst voorbeeld vraag antwoord lijst weer

    hej hejsan tack god morgon kvall natt mycket bra okej ja nej snalla fortsatt hjalp hjalpa forklara skriv oversatt sammanfatta beratta ge rakna skamt dikt berattelse mening ord text exempel
    hei takk tak mange god morgen aften kveld natt nat bra fint ja nei nej vaer sa snill fortsett fortsaet hjelp hjaelp forklar skriv oversett oversaet fortell fortael vits dikt digt
    moi kiitos hyvaa huomenta paivaa iltaa yota kylla jatka auta selita kirjoita kaanna kerro vitsi runo
    szia sziasztok koszonom koszi jo reggelt napot estet igen folytasd segits magyarazd ird forditsd meselj vicc vers
    buna salut multumesc ziua dimineata seara noapte bine da continua ajuta explica scrie tradu spune gluma poezie
    ahoj dobry rano vecer noc dekuji diky ano dobre pokracuj pomoz vysvetli napis preloz rekni vtip basen
    merhaba selam gunaydin iyi aksamlar geceler gunler tesekkur tesekkurler ederim sagol tamam evet hayir lutfen peki
    devam yardim acikla yaz cevir ozetle anlat soyle hesapla saka fikra siir hikaye cumle kelime metin ornek soru cevap liste hava
    dzien dobry dobranoc czesc dziekuje dzieki tak nie prosze dobrze kontynuuj pomoz wyjasnij napisz przetlumacz opowiedz zart wiersz
    xin chao cam on halo terima kasih selamat pagi malam terjemahkan tulis jelaskan

    привет здравствуй здравствуйте спасибо большое пожалуйста доброе утро добрый день вечер доброй ночи пока свидания хорошо отлично супер понятно ясно ладно ок дела
    продолжай продолжи дальше помоги помогите объясни объясните напиши напишите переведи переведите перескажи исправь расскажи расскажите дай скажи посчитай сколько реши составь придумай
    анекдот шутка шутку стих стихи стихотворение рассказ историю сказку предложение слово слова текст пример вопрос ответ список погода сегодня английский русский
    привіт дякую дуже будь ласка добрий ранок так ні

    γεια καλημερα καλησπερα καληνυχτα ευχαριστω πολυ παρακαλω ναι οχι ενταξει συνεχισε εξηγησε γραψε μεταφρασε ποιημα ανεκδοτο
    مرحبا أهلا اهلا السلام عليكم شكرا جزيلا صباح الخير مساء النور نعم لا حسنا تمام ممتاز وداعا من فضلك اكتب ترجم اشرح لخص احسب صحح أخبرني احك نكتة قصيدة قصة جملة كلمة نص مثال سؤال جواب قائمة الطقس
    नमस्ते नमस्कार धन्यवाद शुक्रिया शुभ प्रभात रात्रि सुप्रभात हाँ ठीक अच्छा बढ़िया कृपया लिखो लिखिए बताओ बताइए समझाओ समझाइए अनुवाद करो सुनाओ सुनाइए कविता चुटकुला कहानी वाक्य शब्द उदाहरण सवाल जवाब सूची मौसम
    สวัสดี ขอบคุณ ขอบใจ เช้า เย็น ราตรี ราตรีสวัสดิ์ โอเค ตกลง เข้าใจ ช่วย แปล เขียน อธิบาย สรุป คำนวณ เล่า บอก กลอน เรื่องตลก มุก นิทาน ประโยค คำ ตัวอย่าง อากาศ วันนี้ ต่อ
    감사합니다 감사해요 감사 고마워 고마워요 고맙습니다 안녕 안녕하세요 안녕히 알겠습니다 알겠어요 알았어 네 예 아니요 좋아 좋아요 그래 잘자 번역 번역해줘 써줘 써 줘 해줘 알려줘 설명해줘 설명 요약해줘 계속 계속해줘 도와줘 말해줘 시 시를 농담 이야기 하나 문장 단어 예시 날씨 오늘
    谢谢 你好 您好 好的 好吧 明白 知道了 再见 拜拜 早上 早安 晚上 晚上好 中午 下午 辛苦 不客气 没关系 讲个 讲 一首 首 诗 故事 句子 单词 等于 加 减 乘 除 首都 一下
    ご ざ ござい ございます わか わかり り 了解 承知 かしこまり おはよう こんにちは こんばんは おやすみ さようなら すみません よろしく 書い て 俳句 詩 物語 文 単語 例 首都 今日 天気
  `),
)
