import { seeded } from '../agent-session.ts'

type Random = (limit: number) => number
type Generator = (subject: string, count: number, random: Random) => readonly string[]

const STEMS = 'index button dialog header session invoice cart address payment report banner filter chart'.split(' ')
const NAMES = 'Alma Brecht Castro Dvorak Egede Farouk Girard Hansen Ivanov Jansen Kumar Lopez Mbeki Novak'.split(' ')
const STATES = ['open', 'done', 'waiting', 'sent', 'new']
const STEPS = [
  'connected',
  'GET /api/items 200',
  'cache hit',
  'retrying',
  'flushed buffer',
  'heartbeat',
  'POST /events 202',
]
/** Such as web pages are full of. */
const FILLER = [
  'We use cookies to improve your experience and to show you content that may interest you.',
  'This page was last reviewed by our editorial team.',
  'In general, results depend on many circumstances and should be read with care.',
  'The figure below gives an overview of the process.',
  'Readers often ask for more background, which is available in the sections that follow.',
  'As described above, the procedure was the same for all groups.',
  'Subscribe to our newsletter and never miss an update.',
  'There is a long tradition of writing about this subject, and opinions differ.',
  'Some of the older literature uses other terms for the same thing.',
  'More details can be found in the appendix and in the related articles.',
  'It is worth noting that conditions vary from place to place.',
  'Home, About us, Contact, Imprint, Privacy, Accessibility',
  'The remaining part of the text is structured as follows.',
  'Please contact the author if you find a mistake on this page.',
]

/** What tools print, by kind. A line of a session such as `~log api 50` stands for fifty lines of it. */
const GENERATORS: Readonly<Record<string, Generator>> = {
  listing: (folder, count, random) =>
    repeat(count, (at) => `-rw-r--r-- 1 dev staff ${100 + random(90_000)} ${folder}/${pick(STEMS, random)}-${at}.tsx`),
  log: (service, count, random) =>
    repeat(count, (at) => `${clock(at * 7)} INFO ${service} ${pick(STEPS, random)} in ${1 + random(80)} ms`),
  code: (_, count, random) =>
    repeat(count, (at) =>
      at % 5 === 4
        ? '  }'
        : `  const ${pick(STEMS, random)}${at} = ${pick(STEMS, random)}(${random(90)}, '${pick(STEMS, random)}')`,
    ),
  errors: (file, count, random) =>
    repeat(
      count,
      (at) =>
        `${file}:${at * 3}:${1 + random(40)} - error TS2345: Argument of type 'Promise<Socket>' is not assignable to parameter of type 'Socket'.`,
    ),
  trace: (message, count, random) => [
    message,
    ...repeat(
      count,
      (at) =>
        `    at ${pick(STEMS, random)}.${pick(STEMS, random)} (lib/${pick(STEMS, random)}.js:${at + 10}:${random(60)})`,
    ),
  ],
  tests: (_, count, random) => [
    ...repeat(count, (at) => ` ✓ ${pick(STEMS, random)} > case ${at + 1} (${random(90)} ms)`),
    `Tests: ${count} run`,
  ],
  table: (noun, count, random) => [
    `${noun},name,state,amount`,
    ...repeat(count, (at) => `${at + 1},${pick(NAMES, random)},${pick(STATES, random)},${random(9_000)}`),
  ],
  mails: (_, count, random) =>
    repeat(count, (at) => `${clock(at * 31)} ${pick(NAMES, random)}: Re: ${pick(STEMS, random)} (${random(200)} kB)`),
  commits: (_, count, random) =>
    repeat(
      count,
      () => `${(random(2 ** 28) + 2 ** 28).toString(16)}a ${pick(STEMS, random)}: tidy the ${pick(STEMS, random)}`,
    ),
  page: (_, count, random) => repeat(count, () => pick(FILLER, random)),
  json: (noun, count, random) => [
    JSON.stringify(
      repeat(count, (at) => ({
        id: `${noun}-${at + 1}`,
        name: pick(NAMES, random),
        state: pick(STATES, random),
        amount: random(9_000),
      })),
    ),
  ],
}

/** The lines that `~kind subject count` stands for; the same ones for the same seed. */
export function bulk(directive: string, seed: number): readonly string[] {
  const [, kind = '', subject = '', count = ''] = /^~(\w+) (?:(.*) )?(\d+)$/.exec(directive) ?? []
  const generator = GENERATORS[kind]
  if (generator === undefined) throw new Error(`Cannot read "${directive}": expected ~kind subject count`)
  const random = seeded(seed)
  return generator(subject, Number(count), (limit) => Math.floor(random() * limit))
}

function repeat<Item>(count: number, make: (at: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random(items.length)] as Item
}

function clock(minutes: number): string {
  return new Date(Date.UTC(2026, 8, 7, 8) + minutes * 13_000).toISOString()
}
