/** Texts written for these tests, one or more for each class the estimator knows. */
export interface Sample {
  readonly name: string
  readonly text: string
}

const random = (() => {
  let state = 12_345
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
})()

const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => random(256)))

export const naturalSamples: readonly Sample[] = [
  {
    name: 'English prose',
    text: `The ferry left the harbour a little after six, and by the time the sun had cleared the hills we were already past the
lighthouse. My grandmother sat on the upper deck with a thermos of coffee and a paperback she had read at least four times.
She said that the second chapter was the only honest one. I asked her why she kept the rest, and she laughed and told me that
you do not throw away a house because one room is painted badly. We talked about the winter, about the neighbours who had moved
away, and about the garden that nobody had time for any more. When we arrived, the market was being set up along the quay: crates
of plums, bundles of dill, and a man who repaired watches under a striped umbrella. I bought a loaf of bread and two tickets home.`,
  },
  {
    name: 'English chat',
    text: `Hey! Sorry I missed your call yesterday, I was stuck in a meeting that just wouldn't end. How's the new place? Did the
movers break anything this time? Honestly I'm still thinking about that couch they dropped, lol. Anyway, are you free on Saturday?
We could grab lunch and then check out that bookshop you told me about. I don't mind driving, but let's leave before noon so we
aren't stuck in traffic. Oh, and Maria says hi! She's finally finished her thesis and wants to celebrate next week. I'll send you
the details as soon as she's picked a restaurant. Let me know if Thursday works better for you, it's all the same to me.`,
  },
  {
    name: 'Markdown',
    text: `# Release checklist

1. Run the whole suite on both machines and keep the logs.
2. Bump the version in the manifest, then write the changelog.
3. Tag the commit and wait for the build to finish.

| step | owner | minutes |
| --- | --- | --- |
| freeze | Ada | 15 |
| build | Grace | 40 |
| publish | Linus | 5 |

> **Note:** never publish on a Friday. See [the incident report](https://example.com/reports/2024-11) for the reason why.

- [x] rotate the signing keys
- [ ] notify the customers who pinned the old release
- [ ] remove the \`--legacy\` flag from the command line tool
`,
  },
  {
    name: 'TypeScript',
    text: `import { readFile } from 'node:fs/promises'
import type { Session, Message } from './types.ts'

export class MessageQueue<T extends Message> {
  private readonly pending: T[] = []
  constructor(private readonly session: Session, private readonly limit = 100) {}

  async push(message: T): Promise<void> {
    if (this.pending.length >= this.limit) {
      throw new RangeError(\`Cannot push: the queue already holds \${this.pending.length} messages\`)
    }
    this.pending.push(message)
    await this.flushIfNeeded()
  }

  private async flushIfNeeded(): Promise<void> {
    const batch = this.pending.splice(0, 10).map((item) => ({ id: item.id, body: JSON.stringify(item.parts) }))
    for (const { id, body } of batch) {
      const result = await this.session.store.write(id, body)
      if (!result.ok && result.error?.code !== 'EEXIST') throw result.error
    }
  }
}

export const loadConfig = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
`,
  },
  {
    name: 'Python',
    text: `from __future__ import annotations

import asyncio
from dataclasses import dataclass, field


@dataclass
class Inventory:
    items: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, quantity: int = 1) -> None:
        if quantity <= 0:
            raise ValueError(f"quantity must be positive, got {quantity!r}")
        self.items[name] = self.items.get(name, 0) + quantity

    def total(self) -> int:
        return sum(self.items.values())


async def fetch_all(urls: list[str], limit: int = 8) -> list[bytes]:
    semaphore = asyncio.Semaphore(limit)

    async def fetch(url: str) -> bytes:
        async with semaphore:
            reader, writer = await asyncio.open_connection(url, 443, ssl=True)
            writer.write(b"GET / HTTP/1.1\\r\\n\\r\\n")
            return await reader.read(-1)

    return await asyncio.gather(*(fetch(u) for u in urls))
`,
  },
  {
    name: 'SQL and shell',
    text: `SELECT c.name, COUNT(o.id) AS orders, SUM(o.total) AS revenue
FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.created_at >= '2024-01-01'
WHERE c.country IN ('DE', 'FR', 'NL') AND c.deleted_at IS NULL
GROUP BY c.name HAVING COUNT(o.id) > 3 ORDER BY revenue DESC LIMIT 20;

#!/usr/bin/env bash
set -euo pipefail
for file in "$HOME"/backups/*.tar.gz; do
  if [[ $(stat -c %s "$file") -gt 1048576 ]]; then
    tar -xzf "$file" -C /tmp/restore --strip-components=1 && echo "restored $file" >> restore.log
  fi
done
docker run --rm -it -v "$(pwd)":/work -w /work node:24 npm test -- --reporter=verbose
`,
  },
  {
    name: 'JSON',
    text: JSON.stringify({
      id: 'order-7731',
      customer: {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        address: { street: '12 Mill Lane', city: 'London', zip: 'N1 7AA' },
      },
      items: [
        { sku: 'KB-104', title: 'Mechanical keyboard', quantity: 1, price: 89.9, tags: ['hardware', 'input'] },
        { sku: 'MS-22', title: 'Wireless mouse', quantity: 2, price: 24.5, tags: ['hardware'], discount: null },
      ],
      status: 'delayed',
      history: [
        { at: '2024-05-01T09:30:00Z', event: 'created', by: 'web' },
        { at: '2024-05-03T14:12:45Z', event: 'shipped', by: 'warehouse', tracking: 'JD014600006281230704' },
      ],
      flags: { gift: false, express: true, insured: true },
    }),
  },
  {
    name: 'JSON, indented',
    text: JSON.stringify(
      {
        tool: 'search_flights',
        arguments: {
          origin: 'BER',
          destination: 'LIS',
          date: '2025-03-14',
          passengers: [
            { type: 'adult', count: 2 },
            { type: 'child', count: 1 },
          ],
          flexible: true,
        },
        results: [
          {
            carrier: 'TP',
            number: 535,
            departs: '06:15',
            arrives: '09:05',
            price: { amount: 148.2, currency: 'EUR' },
            seats_left: 4,
          },
          {
            carrier: 'FR',
            number: 1133,
            departs: '21:40',
            arrives: '00:35',
            price: { amount: 61.99, currency: 'EUR' },
            seats_left: 11,
          },
        ],
      },
      null,
      2,
    ),
  },
  {
    name: 'log lines',
    text: Array.from(
      { length: 12 },
      (_, i) =>
        `2024-05-0${(i % 9) + 1}T10:${10 + i}:0${i % 10}.123Z [INFO] api: GET /v1/users/${1000 + i * 37}/orders?limit=${i + 5} 200 ${i * 3 + 11}ms id=${bytes(6).toString('hex')}`,
    ).join('\n'),
  },
  { name: 'numbers', text: Array.from({ length: 80 }, () => (random(1_000_000) / 100).toFixed(2)).join(', ') },
  { name: 'base64', text: bytes(900).toString('base64') },
  { name: 'hexadecimal', text: bytes(600).toString('hex') },
  {
    name: 'UUIDs',
    text: Array.from({ length: 30 }, () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    ).join('\n'),
  },
  {
    name: 'emoji in chat',
    text: `omg 😂😂 that was so good 🎉 see you tonight? 🍕🍺 I'll bring the cake 🎂 and my sister 👩‍👧 says hi 👋🏽 ❤️❤️ can't wait!!! 🚀✨
ok so the plan 📅: meet at 7 ☕, movie at 8 🎬🍿, then home 🏠 before it rains ☔😅 also happy birthday again 🥳🎈🎁 love you 😘🥰 🙏🙏`,
  },
  {
    name: 'German',
    text: `Gestern Nachmittag hat es so stark geregnet, dass die Straßenbahn vor unserem Haus eine halbe Stunde stehen blieb. Meine Nachbarin
brachte den Wartenden heißen Tee, und plötzlich unterhielten sich Menschen, die sonst nur aneinander vorbeigehen. Ein älterer Herr
erzählte von seiner Lehrzeit als Uhrmacher in Glashütte, eine Studentin fragte ihn nach den Prüfungen, und am Ende hatte jemand
sogar Kekse dabei. Als die Bahn endlich weiterfuhr, winkten alle. Ich glaube, wir sollten öfter im Regen stehen bleiben. Übrigens:
die Versicherung hat den Schaden am Dach inzwischen übernommen, aber die Handwerker kommen frühestens nächste Woche.`,
  },
  {
    name: 'French',
    text: `Hier soir, nous avons dîné chez mes cousins à la campagne. Il faisait déjà frais, alors ils avaient allumé un feu dans la cheminée et
préparé une soupe aux légumes du jardin. Après le repas, les enfants ont joué aux cartes pendant que nous parlions du voyage que
nous ferons peut-être l'été prochain, en Bretagne ou bien en Irlande. Ma tante pense qu'il vaut mieux réserver tout de suite, parce
que les prix augmentent chaque semaine. Moi, je préfère attendre un peu : on ne sait jamais ce qui peut arriver d'ici là.`,
  },
  {
    name: 'Spanish',
    text: `El martes pasado perdí el tren de las ocho y tuve que esperar casi una hora en la estación. Mientras tanto conocí a una señora que
vendía flores y que me contó la historia de su pueblo, donde todavía celebran la vendimia con música y bailes hasta la madrugada.
Me dijo que su nieta estudia medicina en Salamanca y que vuelve a casa cada vez que puede. Cuando por fin llegó mi tren, me regaló
una rosa y me hizo prometer que iría a visitarla en septiembre. Creo que lo haré, porque hace años que no salgo de la ciudad.`,
  },
  {
    name: 'Italian',
    text: `La settimana scorsa siamo andati in montagna con gli amici di mio fratello. Il sentiero era più ripido di quanto pensassimo, ma la vista
dal rifugio ci ha ripagato di ogni fatica. Abbiamo mangiato polenta con i funghi e bevuto un vino rosso che il gestore produce da
solo. La sera, però, è arrivata la nebbia e non si vedeva più niente: così siamo rimasti a dormire lassù, in una stanza con dodici
letti e una stufa. Nessuno ha chiuso occhio, ma tutti dicono che è stata la notte più bella dell'anno.`,
  },
  {
    name: 'Portuguese',
    text: `Na sexta-feira fomos à praia logo de manhã, antes que chegasse muita gente. A água ainda estava fria, mas as crianças não quiseram saber e
entraram a correr. Eu fiquei à sombra a ler um livro que a minha irmã me emprestou, sobre uma família que emigrou para o Brasil no
princípio do século passado. Ao almoço comemos sardinhas assadas com pão e salada de tomate. Depois começou o vento e tivemos de
voltar para casa mais cedo, cheios de areia e de sono. Amanhã, se o tempo estiver bom, vamos outra vez.`,
  },
  {
    name: 'Polish',
    text: `W sobotę pojechaliśmy do babci, która mieszka niedaleko Krakowa. Przywitała nas jak zawsze: barszczem, pierogami i pytaniem, dlaczego
przyjeżdżamy tak rzadko. Po obiedzie poszliśmy na spacer nad rzekę, gdzie kiedyś dziadek uczył mnie łowić ryby. Drzewa już żółkły,
a powietrze pachniało dymem z ognisk. Wieczorem oglądaliśmy stare zdjęcia i babcia opowiadała, jak podczas wojny ukrywali w stodole
nauczyciela z sąsiedniej wsi. Nigdy wcześniej o tym nie mówiła. Obiecałem sobie, że następnym razem wszystko zapiszę.`,
  },
  {
    name: 'Turkish',
    text: `Dün akşam arkadaşlarımla boğaz kıyısında yürüyüşe çıktık. Hava serindi ama gökyüzü açıktı, karşı kıyının ışıkları suya vuruyordu. Bir
çay bahçesinde oturup uzun uzun konuştuk; herkes iş yerindeki sorunlarını anlattı, sonra da gülüp geçti. Eve dönerken yağmur
başladı ve hepimiz sırılsıklam olduk. Annem beni öyle görünce çok kızdı, hemen sıcak bir çorba yaptı. Bugün biraz halsizim ama
pişman değilim, çünkü uzun zamandır bu kadar güzel bir akşam geçirmemiştik.`,
  },
  {
    name: 'Vietnamese',
    text: `Cuối tuần trước gia đình tôi về quê thăm ông bà. Đường xa nhưng hai bên là đồng lúa xanh nên ai cũng thấy vui. Bà nấu cơm với cá kho và
canh chua, còn ông thì kể chuyện ngày xưa đi học phải lội qua sông. Buổi chiều, bọn trẻ thả diều trên đê đến khi trời tối mới chịu
về. Tôi ngồi nghe tiếng ếch kêu và nghĩ rằng mình nên về đây thường xuyên hơn. Sáng hôm sau, chúng tôi mang theo một giỏ xoài và
trở lại thành phố trong cơn mưa đầu mùa.`,
  },
  {
    name: 'Dutch',
    text: `Vorige week zijn we met de fiets naar het strand gegaan, ook al waaide het flink. Onderweg stopten we bij een boerderij waar je zelf
aardbeien mag plukken. Mijn broer at er meer dan hij in zijn mandje deed, maar de boerin vond het niet erg. Op het strand was bijna
niemand; alleen een paar mensen met honden en een oude man die naar schelpen zocht. Toen het begon te regenen zijn we gaan schuilen
in een kroeg, en daar hebben we de hele middag kaart gespeeld. Morgen moet ik weer werken, helaas.`,
  },
  {
    name: 'Russian',
    text: `Вчера вечером мы долго сидели на кухне и разговаривали о том, как изменился наш город. Раньше по этой улице ходил трамвай, а теперь
здесь торговый центр и огромная стоянка. Дедушка вспоминал, как в детстве катался на санках с горы за школой, и показывал старые
фотографии. Потом приехала сестра с детьми, стало шумно и весело, и мы до полуночи играли в лото. Завтра обещают снег, поэтому
на дачу мы, скорее всего, не поедем, а пойдём в музей или просто останемся дома и испечём пирог с яблоками.`,
  },
  {
    name: 'Ukrainian',
    text: `Учора ввечері ми довго сиділи на кухні й розмовляли про те, як змінилося наше місто. Раніше цією вулицею їздив трамвай, а тепер тут
великий магазин і стоянка. Дідусь згадував, як у дитинстві катався на санчатах з гори за школою, і показував старі світлини. Потім
приїхала сестра з дітьми, стало гамірно й весело, і ми до півночі грали в карти. Завтра обіцяють сніг, тому на дачу ми, мабуть,
не поїдемо, а підемо до музею або просто залишимося вдома й спечемо пиріг з яблуками.`,
  },
  {
    name: 'Greek',
    text: `Χθες το απόγευμα κατεβήκαμε στο λιμάνι για να δούμε τα καΐκια που γύριζαν από το ψάρεμα. Ο θείος μου ήξερε όλους τους ψαράδες με το
μικρό τους όνομα και μας κέρασαν ούζο και χταπόδι. Τα παιδιά μάζευαν βότσαλα στην παραλία και η γιαγιά τα φώναζε να μην απομακρυνθούν.
Όταν έδυσε ο ήλιος, κάποιος έβγαλε μια κιθάρα και αρχίσαμε να τραγουδάμε παλιά τραγούδια. Γυρίσαμε στο σπίτι πολύ αργά, κουρασμένοι
αλλά χαρούμενοι, και το πρωί κανείς δεν ήθελε να ξυπνήσει.`,
  },
  {
    name: 'Russian in capitals',
    text: `ВНИМАНИЕ! ОТПРАВКА ВАШЕГО ЗАКАЗА ЗАДЕРЖИВАЕТСЯ ПО ТЕХНИЧЕСКИМ ПРИЧИНАМ. ПОЖАЛУЙСТА, ОБРАТИТЕСЬ В СЛУЖБУ ПОДДЕРЖКИ КЛИЕНТОВ
ПО ТЕЛЕФОНУ, УКАЗАННОМУ В ДОГОВОРЕ. ПРИНОСИМ ИЗВИНЕНИЯ ЗА НЕУДОБСТВА.`,
  },
  {
    name: 'Greek in capitals',
    text: `ΠΡΟΣΟΧΗ! Η ΑΠΟΣΤΟΛΗ ΤΗΣ ΠΑΡΑΓΓΕΛΙΑΣ ΣΑΣ ΚΑΘΥΣΤΕΡΕΙ ΓΙΑ ΤΕΧΝΙΚΟΥΣ ΛΟΓΟΥΣ. ΕΠΙΚΟΙΝΩΝΗΣΤΕ ΜΕ ΤΗΝ ΕΞΥΠΗΡΕΤΗΣΗ ΠΕΛΑΤΩΝ ΣΤΟΝ
ΑΡΙΘΜΟ ΠΟΥ ΑΝΑΓΡΑΦΕΤΑΙ ΣΤΟΝ ΛΟΓΑΡΙΑΣΜΟ.`,
  },
  {
    name: 'Hebrew with vowel signs',
    text: `יוֹם אֶחָד הָלְכָה הַיַּלְדָּה אֶל הַגַּן וְרָאֲתָה צִפּוֹר קְטַנָּה עַל הָעֵץ. הַצִּפּוֹר שָׁרָה שִׁיר יָפֶה, וְהַיַּלְדָּה יָשְׁבָה וְהִקְשִׁיבָה
עַד הָעֶרֶב.`,
  },
  {
    name: 'Arabic with vowel signs',
    text: `ذَهَبَ الوَلَدُ إِلَى المَدْرَسَةِ صَبَاحًا، وَجَلَسَ قُرْبَ صَدِيقِهِ. قَرَأَ المُعَلِّمُ قِصَّةً قَصِيرَةً، ثُمَّ سَأَلَ التَّلَامِيذَ عَنْ
أَحْدَاثِهَا.`,
  },
  {
    name: 'Japanese with wide letters',
    text: `ご注文番号：Ａ１２３４５６７　品名：ＵＳＢケーブル（ＴＹＰＥ－Ｃ）　数量：１０　お届け先：ＡＢＣ株式会社　担当：ｓｕｐｐｏｒｔ`,
  },
  {
    name: 'Arabic',
    text: `ذهبنا أمس إلى السوق القديم في وسط المدينة لنشتري التوابل والقهوة. كان الجو حارا والشوارع مزدحمة، لكن رائحة الخبز الطازج جعلتنا ننسى
التعب. جلسنا في مقهى صغير يملكه صديق والدي، وحكى لنا عن أيام الدراسة وعن السفر بالقطار إلى الشمال. في المساء عدنا إلى البيت وطبخت
أمي طعاما كثيرا لأن خالتي وأولادها جاءوا لزيارتنا. لعب الأطفال في الحديقة حتى وقت متأخر، ثم نام الجميع. غدا سنذهب إلى البحر إذا
كان الطقس مناسبا.`,
  },
  {
    name: 'Hebrew',
    text: `אתמול אחר הצהריים נסענו לבקר את סבא וסבתא שגרים ליד הים. סבתא הכינה מרק חם ועוגת שוקולד, וסבא סיפר לנו איך הגיע לארץ באונייה כשהיה
ילד קטן. אחרי הארוחה ירדנו לחוף, אספנו צדפים והסתכלנו על השקיעה. הילדים רצו להישאר עוד, אבל כבר נעשה קר והיה צריך לחזור הביתה.
בדרך חזרה היו פקקים, והגענו רק אחרי תשע בערב. בשבוע הבא אנחנו מתכננים לצאת לטיול בצפון עם חברים מהעבודה.`,
  },
  {
    name: 'Hindi',
    text: `कल शाम हम सब नदी के किनारे घूमने गए थे। मौसम बहुत अच्छा था और आसमान में बादल छाए हुए थे। दादाजी ने हमें अपने बचपन की कहानियाँ सुनाईं, जब वे
पैदल चलकर पाठशाला जाते थे। माँ ने गरम समोसे और चाय बनाई थी, जिसे हमने घास पर बैठकर खाया। बच्चे पतंग उड़ा रहे थे और उनकी हँसी दूर तक सुनाई दे रही
थी। रात को घर लौटते समय बारिश शुरू हो गई और हम सब भीग गए। अगले रविवार को हम पहाड़ों पर जाने की योजना बना रहे हैं।`,
  },
  {
    name: 'Bengali',
    text: `গতকাল বিকেলে আমরা সবাই নদীর ধারে বেড়াতে গিয়েছিলাম। আকাশে মেঘ ছিল, কিন্তু বৃষ্টি হয়নি। দাদু আমাদের তাঁর ছোটবেলার গল্প শোনালেন, যখন তিনি নৌকা করে
স্কুলে যেতেন। মা গরম চা আর মুড়ি এনেছিলেন। ছোটরা মাঠে ফুটবল খেলছিল। সন্ধ্যাবেলা আমরা বাড়ি ফিরে এলাম এবং রাতে ইলিশ মাছ রান্না হলো। আগামী সপ্তাহে আমরা
পাহাড়ে বেড়াতে যাব বলে ঠিক করেছি।`,
  },
  {
    name: 'Tamil',
    text: `நேற்று மாலை நாங்கள் அனைவரும் கடற்கரைக்குச் சென்றோம். காற்று மிகவும் குளிராக இருந்தது. தாத்தா தனது சிறுவயது கதைகளைச் சொன்னார். அம்மா சூடான தேநீரும்
வடையும் கொண்டு வந்திருந்தார். குழந்தைகள் மணலில் வீடு கட்டி விளையாடினார்கள். இரவு வீட்டிற்குத் திரும்பும்போது மழை பெய்யத் தொடங்கியது. அடுத்த வாரம் நாங்கள்
மலைக்குச் செல்லத் திட்டமிட்டுள்ளோம்.`,
  },
  {
    name: 'Thai',
    text: `เมื่อวานนี้ครอบครัวของเราไปเที่ยวตลาดน้ำด้วยกัน อากาศร้อนมากแต่ทุกคนก็สนุก คุณยายซื้อมะม่วงและขนมไทยหลายอย่าง ส่วนคุณตานั่งคุยกับคนขายเรือเรื่องสมัยก่อน
เด็กๆ ให้อาหารปลาและถ่ายรูปกันจนแบตเตอรี่หมด ตอนเย็นฝนตกหนักเราจึงรีบกลับบ้าน แม่ทำต้มยำกุ้งให้กินและเราดูหนังด้วยกันจนดึก สัปดาห์หน้าถ้าอากาศดีเราจะไปทะเล`,
  },
  {
    name: 'Chinese, simplified',
    text: `昨天下午，我们全家一起去河边散步。天气很好，风也不大，岸边有很多人在放风筝。爷爷给我们讲他小时候的故事，说那时候上学要走两个小时的山路。妈妈带了热茶和包子，
我们坐在草地上边吃边聊。孩子们在旁边踢足球，笑声传得很远。傍晚的时候突然下起了雨，大家都淋湿了，但是谁也没有抱怨。回到家以后，爸爸煮了一锅姜汤，我们一边喝一边看
电视。下个星期如果不加班，我们打算去爬山。`,
  },
  {
    name: 'Chinese, traditional',
    text: `昨天下午，我們全家一起去河邊散步。天氣很好，風也不大，岸邊有很多人在放風箏。爺爺給我們講他小時候的故事，說那時候上學要走兩個小時的山路。媽媽帶了熱茶和包子，
我們坐在草地上邊吃邊聊。孩子們在旁邊踢足球，笑聲傳得很遠。傍晚的時候突然下起了雨，大家都淋濕了，但是誰也沒有抱怨。回到家以後，爸爸煮了一鍋薑湯，我們一邊喝一邊看
電視。下個星期如果不加班，我們打算去爬山。`,
  },
  {
    name: 'Japanese',
    text: `昨日の午後、家族みんなで川のそばを散歩しました。天気がよくて、風も弱かったので、凧を揚げている人がたくさんいました。祖父は子どものころの話をしてくれて、学校まで
二時間も山道を歩いたと言っていました。母は温かいお茶とおにぎりを持ってきてくれて、私たちは芝生に座って食べました。夕方になると急に雨が降り出して、全員びしょぬれになり
ましたが、誰も文句を言いませんでした。来週、もし仕事がなければ、みんなでキャンプに行くつもりです。`,
  },
  {
    name: 'Korean',
    text: `어제 오후에 가족들과 함께 강가를 산책했습니다. 날씨가 좋고 바람도 약해서 연을 날리는 사람들이 많았습니다. 할아버지는 어린 시절 이야기를 들려주시면서 학교까지 두 시간
동안 산길을 걸어 다녔다고 하셨습니다. 어머니는 따뜻한 차와 김밥을 준비해 오셨고, 우리는 잔디밭에 앉아 맛있게 먹었습니다. 저녁 무렵 갑자기 비가 내려서 모두 흠뻑
젖었지만 아무도 불평하지 않았습니다. 다음 주에 시간이 있으면 등산을 가기로 했습니다.`,
  },
]
