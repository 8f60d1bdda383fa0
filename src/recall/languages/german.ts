import { type LanguagePack, forms, numbered, wordSet } from './language-pack.ts'

const monthName = 'januar|jänner|februar|feber|märz|april|mai|juni|juli|august|september|oktober|november|dezember'
const dayName = '(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend'
const unit = '(?:sekunden?|minuten?|stunden?|tag(?:e|en)?|woche(?:n|nende)?|monat(?:e|en)?|jahr(?:e|en)?)'

export const german: LanguagePack = {
  name: 'german',
  stemmer: 'german',
  letters: /ß/,
  compounds: true,
  // Folded: `für` is `fur` here, as everywhere.
  stopWords: wordSet(`
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
    ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner er ihn ihm sein seine seinen seinem seiner
    sie ihr ihre ihren ihrem ihrer es wir uns unser unsere unseren unserem unserer euch euer eure man sich selbst
    bin bist ist sind seid war warst waren wart gewesen habe hast hat haben habt hatte hattest hatten hattet gehabt
    werde wirst wird werden werdet wurde wurden worden wurdest kann kannst konnen konnt konnte konnten muss musst mussen musste mussten soll sollst sollen sollte sollten
    will willst wollen wollte wollten darf durfen durfte mag mochte mochten
    und oder aber denn sondern doch wenn als ob weil dass damit obwohl wahrend bis seit bevor nachdem
    in im an am auf aus bei beim mit nach von vom vor zu zum zur uber unter hinter neben zwischen durch fur gegen ohne um entlang trotz wegen
    was welche welcher welches welchen welchem wer wen wem wessen wann wo woher wohin warum wieso weshalb wie
    nicht nein ja auch nur noch schon sehr mehr so dann da dort hier jetzt nun mal eben etwa etwas alle alles allen allem jeder jede jedes jeden dieser diese dieses diesen diesem
    jener jene jenes andere anderen anderer anderes beide beiden viel viele vielen wenig einige einigen immer wieder ganz gar bitte danke hallo
    darum daher davon dazu dabei damals deshalb daran darauf daraus darin daruber
  `),
  scaffold: wordSet(`
    art arten sorte name namen genannt nennen heisst heissen erwahnt erwahnen gesagt sagte sagen erzahlt erzahlen neulich kurzlich letzte letzten zuletzt aktuell
    ding dinge sache sachen jemand person personen leute neu neue neuen lieblings bestimmte verschiedene beispiel geplant plant planen zeit datum tag jahr monat woche oft passiert machen gemacht macht tun getan
  `),
  steering: wordSet(`
    weiter gut super prima toll schon klar genau richtig falsch nochmal kurzer langer besser einfacher hilf helfen hilfe zeig zeigen gib erklar erklare erklaren
    ubersetze ubersetz ubersetzen schreib schreibe schreiben fasse zusammen zusammenfassen rechne berechne definiere vergleiche erstelle erzeuge nenne liste aufzahlen
    beispiel beispiele witz gedicht satz wort worter text frage antwort wissen weiss kennst morgen abend nacht guten gute tschuss stimmt okay wetter heute
    eins zwei drei vier funf sechs sieben acht neun zehn hundert tausend
  `),
  irregular: forms(`
gehen: ging gingen gegangen geht gehst gehe
kommen: kam kamen gekommen kommt kommst
fahren: fuhr fuhren gefahren fahrt fahrst
sehen: sah sahen gesehen sieht siehst
geben: gab gaben gegeben gibt gibst
nehmen: nahm nahmen genommen nimmt nimmst
finden: fand fanden gefunden findet
sprechen: sprach sprachen gesprochen spricht
essen: ass assen gegessen isst
trinken: trank tranken getrunken
schreiben: schrieb schrieben geschrieben schreibt
lesen: las lasen gelesen liest
bleiben: blieb blieben geblieben
fliegen: flog flogen geflogen
ziehen: zog zogen gezogen
umziehen: umgezogen umzog umzogen
treffen: traf trafen getroffen trifft
helfen: half halfen geholfen hilft
laufen: lief liefen gelaufen
schlafen: schlief geschlafen
denken: dachte dachten gedacht
bringen: brachte brachten gebracht
kaufen: kaufte kauften gekauft kauft
bekommen: bekam bekamen bekommt
beginnen: begann begannen begonnen
verlieren: verlor verloren
gewinnen: gewann gewannen gewonnen
sterben: starb gestorben
werfen: warf geworfen
wissen: wusste wussten gewusst weiss
kennen: kannte kannten gekannt
nennen: nannte nannten
singen: sang sangen gesungen
schwimmen: schwamm geschwommen
haus: hauser hausern hauses
mutter: mama mutti
vater: papa vati
gut: besser beste besten
`),
  months: numbered(
    'januar janner jan\nfebruar feber feb\nmarz\napril apr\nmai\njuni jun\njuli jul\naugust aug\nseptember sept sep\noktober okt\nnovember nov\ndezember dez',
    1,
    1,
  ),
  seasons: numbered('fruhling fruhjahr\nsommer\nherbst\nwinter', 3, 3),
  capitalsAreNames: false,
  cues: {
    time: new RegExp(
      `(?<!\\p{L})(?:gestern|vorgestern|heute|morgen|übermorgen|neulich|kürzlich|${dayName}|(?:letzten?|letztes|nächsten?|nächstes|diesen?|dieses|vorigen?|voriges|kommenden?) ${unit}|vor (?:\\d+|einem|einer|zwei|drei|vier|fünf|sechs|wenigen|ein paar) ${unit}|seit|${monthName}|\\d{1,2}\\.\\s?\\d{1,2}\\.|\\d{1,2} uhr|(?:19|20)\\d\\d)(?!\\p{L})`,
      'iu',
    ),
    number:
      /\d|(?<!\p{L})(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|dutzend|paar|erste[rnms]?|zweite[rnms]?|dritte[rnms]?|einmal|zweimal|beide|mehrere|halb\p{L}*)(?!\p{L})/iu,
    place: /(?<!\p{L})(?:in|im|aus|nach|bei|beim|am|an der|zum|zur) (?:der |die |das |dem |den )?\p{Lu}\p{L}+/u,
    person:
      /(?<!\p{L})(?:mama|mutter|papa|vater|eltern|schwester|bruder|geschwister|sohn|tochter|kinder?|frau|mann|partner(?:in)?|freund(?:in|e|innen)?|verlobte[rn]?|tante|onkel|cousine?|nichte|neffe|oma|opa|großmutter|großvater|enkel(?:in)?|nachbar(?:in|n)?|kolleg(?:e|in|en)|chef(?:in)?|lehrer(?:in)?|trainer(?:in)?|familie|team|jemand)(?!\p{L})/iu,
    cause:
      /(?<!\p{L})(?:weil|denn|deshalb|deswegen|darum|daher|wegen|damit|um zu|der grund|aufgrund|nämlich|also)(?!\p{L})/iu,
    firstPerson: /(?<!\p{L})(?:ich|mich|mir|mein\p{L}*|wir|uns|unser\p{L}*)(?!\p{L})/giu,
  },
  asked: [
    [
      'duration',
      /(?<!\p{L})wie (?:lange|alt)(?!\p{L})|wie viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)/iu,
    ],
    ['count', /(?<!\p{L})(?:wie ?viele?|wie oft|wie teuer|anzahl)(?!\p{L})/iu],
    ['when', /(?<!\p{L})(?:wann|welche[rsmn]? (?:tag|datum|monat|jahr)|seit wann)(?!\p{L})/iu],
    ['where', /(?<!\p{L})(?:wo|wohin|woher|welche[rsmn]? (?:ort|stadt|land|platz|restaurant|straße))(?!\p{L})/iu],
    ['who', /(?<!\p{L})(?:wer|wen|wem|wessen)(?!\p{L})/iu],
    ['why', /(?<!\p{L})(?:warum|wieso|weshalb|aus welchem grund)(?!\p{L})/iu],
    [
      'title',
      /(?<!\p{L})(?:name|titel|heißt|heißen|genannt|welche[rsmn]? (?:buch|film|lied|band|spiel|serie|album|roman|podcast))(?!\p{L})/iu,
    ],
  ],
  asker: /(?<!\p{L})(?:ich|mich|mir|mein\p{L}*)(?!\p{L})/iu,
  assistant: /(?<!\p{L})(?:du|dich|dir|dein\p{L}*)(?!\p{L})/iu,
}
