import type { Memory } from '../../../src/api/memory.ts'
import type { Store } from '../../../src/ports/store.ts'
import type { Random } from '../../fault/harness/random.ts'
import { type TestDatabase, withClient } from '../database.ts'

/** In everything that others wrote, and in nothing that is asked. */
export const CANARY = 'kestrelwing'
export const THIEF = 'acme/ada'
/** A sibling, one whose name begins alike, a child of a sibling, and a stranger with a child of the same name. */
export const VICTIMS: readonly string[] = ['acme/bob', 'acme/adam', 'acme/bob/ada', 'other/ada']

/** Fills a scope with one of everything. Of the thief's own there is as much, so that its calls find something to do. */
export async function fill(memory: Memory, store: Store, name: string): Promise<void> {
  const secret = name === THIEF ? 'my own' : CANARY
  const tag = name.replaceAll('/', '-')
  const scope = memory.scope(name)
  const chat = scope.session(`chat ${tag}`, { description: `${secret} description` })
  await chat.append(
    [
      { role: 'system', content: `${secret} rule: be short`, id: `rule ${tag}` },
      { role: 'user', content: `${secret} order 7731 is late`, id: `first ${tag}`, name: `${secret} speaker` },
      {
        role: 'user',
        id: `file ${tag}`,
        parts: [{ type: 'file', mediaType: 'text/plain', source: Buffer.from(secret) }],
      },
      {
        role: 'assistant',
        id: `call ${tag}`,
        parts: [{ type: 'tool-call', id: `c ${tag}`, name: 't', arguments: secret }],
      },
      { role: 'tool', id: `result ${tag}`, parts: [{ type: 'tool-result', callId: `c ${tag}`, output: secret }] },
    ],
    { operationId: `operation ${tag}` },
  )
  await chat.revise(`first ${tag}`, { content: `${secret} order 7731 is very late` })
  await (await chat.fork(`fork ${tag}`)).append({ role: 'user', content: `${secret} forked`, id: `forked ${tag}` })
  await chat.compact({ force: true })
  await chat.state.set(`key ${tag}`, `${secret} value`)
  await chat.state.notes.add(`${secret} note`)
  await chat.state.tasks.add({ description: `${secret} task` })
  for (const { blocks } of [scope, chat]) await blocks.set(tag, `${secret} block`)
  await scope.remember([
    { subject: `Person ${tag}`, predicate: 'likes', object: `${secret} tea`, sources: [{ message: `first ${tag}` }] },
    { subject: `Person ${tag}`, predicate: 'works at', object: { entity: `Firm ${tag}` } },
    { subject: `Somebody ${tag}`, predicate: 'likes', object: `${secret} coffee` },
  ])
  await scope.propose({ merge: [`Person ${tag}`, `Somebody ${tag}`] }, `${secret} reason`)
  await scope.recall('order')
  await store.jobs.change({
    of: { kind: 'chore', scope: name, subject: `subject ${tag}` },
    decide: () => ({
      answer: undefined,
      insert: {
        id: `job ${tag}`,
        kind: 'chore',
        scope: name,
        subject: `subject ${tag}`,
        mark: 0,
        payload: secret,
        state: 'waiting',
        attempts: 0,
        dueAt: Number.MAX_SAFE_INTEGER,
        owner: null,
        error: secret,
        result: null,
        createdAt: 1,
        updatedAt: 1,
      },
    }),
  })
  const generation = await store.vectors.choose('model', 2)
  const set = generation === undefined ? undefined : await store.vectors.begin(name, generation)
  if (set === undefined) throw new Error('no vector set')
  const vectors = [{ passage: `${secret} passage`, values: new Float32Array([0.6, 0.8]) }]
  await store.vectors.commit({ set, through: 1, vectors, complete: true })
}

/** What a thief may have come by: names, ids and cursors of others, and the numbers of rows. */
export interface Loot {
  readonly sessions: readonly string[]
  readonly names: readonly string[]
  readonly numbers: readonly number[]
}

const NAMES: readonly (readonly [table: string, column: string])[] = [
  ['sessions', 'name'],
  ['messages', 'id'],
  ['operations', 'id'],
  ['blobs', 'hash'],
  ['facts', 'id'],
  ['facts', 'subject'],
  ['fact_sources', 'source'],
  ['fact_sources', 'evidence'],
  ['entities', 'key'],
  ['entity_names', 'name'],
  ['proposals', 'id'],
  ['jobs', 'id'],
  ['jobs', 'subject'],
  ['state_entries', 'key'],
]
const NUMBERS: readonly (readonly [table: string, column: string])[] = [
  ['sessions', 'key'],
  ['recall_shelves', 'key'],
  ['recall_threads', 'thread'],
  ['recall_terms', 'key'],
  ['recall_segments', 'key'],
  ['vector_sets', 'key'],
]

export async function steal(database: TestDatabase, memory: Memory): Promise<Loot> {
  const cursors = await Promise.all(
    VICTIMS.map(async (victim) => (await memory.scope(victim).sessions({ limit: 1 })).next),
  )
  return withClient(database.admin, async (client) => {
    const column = async ([table, name]: readonly [string, string]): Promise<readonly unknown[]> => {
      const text = `SELECT DISTINCT ${name} AS value FROM daybook.${table} WHERE scope = ANY ($1)`
      return (await client.query<{ value: unknown }>(text, [VICTIMS])).rows.map(({ value }) => value)
    }
    const names: unknown[] = [...VICTIMS, ...cursors]
    const numbers: unknown[] = []
    for (const one of NAMES) names.push(...(await column(one)))
    for (const one of NUMBERS) numbers.push(...(await column(one)))
    const folds = await client.query<{ body: string }>(`SELECT body FROM daybook.amendments WHERE scope = ANY ($1)`, [
      VICTIMS,
    ])
    for (const { body } of folds.rows) names.push(...(body.match(/fold-\w+/g) ?? []))
    const isName = (name: unknown): name is string => typeof name === 'string' && name !== '' && !name.includes(CANARY)
    const sessions = (await column(['sessions', 'name'])).filter(isName)
    return { sessions, names: names.filter(isName), numbers: numbers.map(Number) }
  })
}

/** What is asked with: something stolen, at random. */
export interface Hand {
  readonly session: () => string
  readonly name: () => string
  readonly number: () => number
  readonly word: () => string
  readonly block: () => string
}

const WORDS = ['order 7731', 'late', 'tea', 'person', 'note', 'o', 'very late order', 'rule'] as const

export function handOf({ sessions, names, numbers }: Loot, random: Random): Hand {
  return {
    session: () => random.pick(sessions),
    name: () => random.pick(names),
    number: () => random.pick(numbers),
    word: () => random.pick(WORDS),
    block: () => random.pick([THIEF, ...VICTIMS]).replaceAll('/', '-'),
  }
}
