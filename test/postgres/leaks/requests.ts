import { MemoryError } from '../../../src/domain/error.ts'
import type { Memory } from '../../../src/api/memory.ts'
import type { Scope } from '../../../src/api/scope.ts'
import type { Session } from '../../../src/api/session.ts'
import type { FactFilter, KnowledgeQuestion, KnowledgeQuestions } from '../../../src/ports/knowledge-store.ts'
import type { Store } from '../../../src/ports/store.ts'
import { surface } from '../../../src/surface/index.ts'
import type { Random } from '../../fault/harness/random.ts'
import { type Hand, THIEF } from './loot.ts'

/** Asks something of the thief's own scope, with what it has stolen. */
type Ask<Of> = (of: Of, hand: Hand) => Promise<unknown>

/** Whatever a call does, its answer and its refusal are looked at. */
async function outcomeOf(call: () => Promise<unknown>): Promise<string> {
  try {
    return shown(await call())
  } catch (error) {
    if (!MemoryError.is(error)) throw error
    return shown([error.message, error.details, String(error.cause)])
  }
}

/** As text that hides nothing: bytes too. */
function shown(value: unknown): string {
  const plain = (one: unknown): unknown => {
    if (one instanceof Uint8Array) return Buffer.from(one).toString('latin1')
    if (one instanceof Map || one instanceof Set) return [...one].map(plain)
    if (Array.isArray(one)) return one.map(plain)
    if (typeof one === 'object' && one !== null)
      return Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, plain(inner)]))
    return one
  }
  return JSON.stringify(plain(value)) ?? ''
}

const ofSession: readonly Ask<Session>[] = [
  (chat) => chat.history({ limit: 5 }),
  (chat, hand) => chat.history({ after: hand.number(), limit: 5 }),
  (chat, hand) => chat.get(hand.name()),
  (chat, hand) => chat.search(hand.word(), { limit: 5 }),
  (chat) => chat.recent(3),
  (chat) => chat.byRole('system', 3),
  (chat) => chat.window(),
  (chat) => chat.context({ budget: 4_000 }),
  (chat) => chat.stats(),
  (chat) => chat.count(),
  (chat) => chat.document(),
  (chat, hand) => chat.reopen(hand.name()),
  (chat, hand) => chat.revise(hand.name(), { content: 'mine now' }),
  (chat, hand) => chat.remove(hand.name()),
  (chat) => chat.compact({ force: true }),
  (chat) => chat.undo(),
  // Into few names: forks of forks without end would be read one after the other.
  async (chat, hand) => (await chat.fork(hand.session())).history({ limit: 5 }),
  (chat, hand) => chat.append({ role: 'user', content: 'x', id: hand.name() }, { operationId: hand.name() }),
  (chat, hand) =>
    chat.append({
      role: 'user',
      id: `blob ${hand.name()}`,
      parts: [{ type: 'file', mediaType: 'text/plain', source: { type: 'blob', hash: hand.name() } as never }],
    }),
  (chat, hand) =>
    chat.append(
      { role: 'tool', id: `r ${hand.name()}`, parts: [{ type: 'tool-result', callId: hand.name(), output: 'x' }] },
      { strict: true },
    ),
  async (chat) => [...(await chat.blobs(await chat.history({ limit: 5 }))).values()],
  (chat) => chat.state.snapshot(),
  (chat, hand) => chat.state.get(hand.name()),
  (chat, hand) => chat.state.history(hand.name()),
  (chat, hand) => chat.state.set(hand.name(), 'mine'),
  (chat, hand) => chat.state.delete(hand.name()),
  (chat, hand) => chat.state.notes.search(hand.word()),
  (chat, hand) => chat.state.notes.update(hand.name(), { text: 'mine' } as never),
  (chat, hand) => chat.state.tasks.finish(hand.name()),
  (chat) => chat.state.tasks.list(),
  (chat) => chat.blocks.list(),
  (chat, hand) => chat.blocks.history(hand.block()),
  (chat, hand) => chat.blocks.set(hand.block(), 'mine'),
  (chat, hand) => chat.blocks.undo(hand.block()),
]

const ofScope: readonly Ask<Scope>[] = [
  (scope, hand) => scope.recall(hand.word(), { limit: 5 } as never),
  (scope, hand) => scope.recall(hand.name()),
  (scope, hand) => scope.sessions({ after: hand.name() }),
  (scope, hand) => scope.sessions({ text: hand.word(), limit: 3 }),
  (scope, hand) => scope.facts({ after: hand.name(), limit: 5, includeClosed: true }),
  (scope, hand) => scope.facts({ subject: hand.name() }),
  (scope, hand) => scope.fact(hand.name()),
  (scope, hand) => scope.factHistory(hand.name()),
  (scope, hand) => scope.graph({ around: hand.name(), depth: 2 }),
  (scope, hand) => scope.path(hand.name(), hand.name()),
  (scope, hand) => scope.entity(hand.name()),
  (scope, hand) => scope.entities({ after: hand.name() } as never),
  (scope) => scope.predicates(),
  (scope, hand) => scope.retract(hand.name()),
  (scope, hand) => scope.restore(hand.name()),
  (scope, hand) => scope.endorse(hand.name()),
  (scope, hand) => scope.rollBack({ message: hand.name() }),
  (scope, hand) => scope.rollBack({ fact: hand.name() }),
  (scope, hand) => scope.remember({ subject: hand.name(), predicate: 'likes', object: 'x', sources: [hand.name()] }),
  (scope, hand) => scope.remember({ subject: 'me', predicate: 'likes', object: 'y', sources: [{ fact: hand.name() }] }),
  (scope, hand) => scope.propose({ merge: [hand.name(), hand.name()] }),
  (scope, hand) => scope.propose({ duplicates: [hand.name(), hand.name()] }),
  (scope, hand) => scope.propose({ stale: [hand.name()] }),
  (scope, hand) => scope.proposals({ after: hand.name() }),
  (scope, hand) => scope.apply(hand.name()),
  (scope, hand) => scope.revert(hand.name()),
  (scope) => scope.retention.get(),
  (scope) => scope.blocks.list(),
  (scope, hand) => scope.blocks.get(hand.block()),
  (scope, hand) => scope.blocks.edit(hand.block(), { append: 'mine' }),
  (scope, hand) => scope.forget({ block: hand.block() }, { dryRun: true }),
  (scope, hand) => scope.forget({ session: hand.session() }, { dryRun: true }),
  (scope, hand) => scope.forget({ message: hand.name() }, { dryRun: true }),
  (scope, hand) => scope.forget({ fact: hand.name() }, { dryRun: true }),
  async (scope, hand) => {
    const lines: string[] = []
    for await (const line of scope.export({ session: hand.session() })) if (lines.push(line) > 20) break
    return lines
  },
]

const page = { from: 1, through: 100, limit: 5, newestFirst: false, systemOnly: false }
const wide: FactFilter = { standing: ['disputed', 'retracted'], trust: [0, 9], valid: [2 ** 50, -(2 ** 50)] }
const MINE: readonly string[] = [THIEF]

type Questions = { readonly [Of in keyof KnowledgeQuestions]?: (hand: Hand) => KnowledgeQuestions[Of] }
const questions: Questions = {
  facts: (hand) => ({ scopes: MINE, by: { ids: [hand.name(), hand.name()] }, where: wide, limit: 5 }),
  slot: (hand) => ({ scopes: MINE, subjects: [hand.name()], predicate: 'likes', endingAfter: 0 }),
  history: (hand) => ({ scope: THIEF, fact: hand.name(), limit: 5 }),
  sources: (hand) => ({ facts: [{ scope: THIEF, id: hand.name() }], limit: 5 }),
  taught: (hand) => ({ scope: THIEF, source: hand.name() }),
  names: (hand) => ({ scopes: MINE, names: [hand.name()] }),
  namesOf: (hand) => ({ scopes: MINE, entities: [hand.name()] }),
  entities: (hand) => ({ scopes: MINE, keys: [hand.name()] }),
  entityPage: () => ({ scopes: MINE, after: '', limit: 20 }),
  messages: (hand) => ({ scopes: MINE, id: hand.name() }),
  proposal: (hand) => ({ scope: THIEF, id: hand.name() }),
  proposals: () => ({ scope: THIEF, status: undefined, after: '', limit: 20 }),
  changed: () => ({ scope: THIEF, after: { version: 0, id: '' }, limit: 20 }),
  everAbout: (hand) => ({ scope: THIEF, entities: [hand.name()] }),
}

const ofStore: readonly Ask<Store>[] = [
  ({ log }, hand) => log.session(THIEF, hand.session()),
  ({ log }, hand) => log.sessions({ scope: THIEF }, { limit: 5, before: hand.number() + 1 }),
  ({ log }, hand) => log.messages({ scope: THIEF, key: hand.number(), ...page }),
  ({ log }, hand) => log.message({ scope: THIEF, key: hand.number() }, hand.name()),
  ({ log }, hand) =>
    log.amendments({ scope: THIEF, key: hand.number(), throughVersion: 100, of: 'session', afterVersion: 0, limit: 5 }),
  ({ log }, hand) => log.blobs(THIEF, [hand.name(), hand.name()]),
  ({ state }, hand) => state.read({ scope: THIEF, session: hand.session() }, { section: 'value' }),
  ({ state }, hand) =>
    state.history(
      { scope: THIEF, session: hand.session() },
      { section: 'value', key: hand.name(), before: 2 ** 40, limit: 5 },
    ),
  ({ state }, hand) => state.forget({ scope: THIEF, session: hand.session() }, hand.name()),
  ({ jobs }, hand) => jobs.list({ scope: THIEF, after: hand.name(), limit: 5 }),
  ({ jobs }) => jobs.list({ scope: THIEF, limit: 5 }),
  ({ learning }, hand) => learning.behindOne(THIEF, hand.session()),
  ({ recall }, hand) => recall.forks(THIEF, hand.number()),
  ({ recall }) => recall.shelves(MINE),
  ({ recall }) => recall.posted(THIEF, { after: 0, limit: 5 }),
  ({ vectors }) => vectors.sets(MINE),
  ({ erasure }, hand) => erasure.family(THIEF, hand.session()),
  ({ erasure }, hand) => erasure.taught(THIEF, [hand.name()]),
  ({ reseal }, hand) =>
    reseal.rows({ scope: THIEF, name: hand.session(), key: hand.number() }, 'message', {
      but: '',
      after: 0,
      limit: 5,
    }),
  ({ archive }) => archive.sessions(THIEF, { after: 0, through: 2 ** 40, limit: 5 }),
  ...['fact', 'entity', 'proposal', 'state-entry', 'blob'].map(
    (kind): Ask<Store> =>
      ({ archive }) =>
        archive.rows(
          kind,
          { scope: THIEF, known: { root: 'acme', version: 2 ** 40 } },
          { after: undefined, limit: 20 },
        ),
  ),
  ...Object.entries(questions).map(
    ([of, question]): Ask<Store> =>
      ({ knowledge }, hand) =>
        knowledge.read(THIEF, function* () {
          return yield { of, ...question(hand) } as KnowledgeQuestion
        }),
  ),
]

/**
 * With numbers that only the store itself gives out and takes back: no caller ever names one, so no filter looks at whose they
 * are. Row security does.
 */
const byKey: readonly Ask<Store>[] = [
  ({ recall }, hand) => recall.threads(MINE, [hand.number(), hand.number()]),
  ({ recall }, hand) => recall.terms(MINE, [hand.number()], ['order', 'late', 'kestrelw']),
  ({ recall }, hand) => recall.hits(MINE, [hand.number()], 5),
  ({ recall }, hand) => recall.passages(MINE, { thread: hand.number(), from: 0, through: 2 ** 40 }),
  ({ recall }, hand) => recall.passages(MINE, { shelf: hand.number(), from: 0, to: 2 ** 50, limit: 5 }),
  ({ recall }, hand) => recall.around(MINE, [{ thread: hand.number(), place: 1 }], { passages: 2, distance: 100 }),
  ({ vectors }, hand) => vectors.read({ key: hand.number(), scope: THIEF }, { after: 0, limit: 5 }),
  ({ vectors }, hand) => vectors.stored({ key: hand.number(), scope: THIEF }, [hand.name()]),
  ({ vectors }, hand) => vectors.retire({ key: hand.number(), scope: THIEF }, 5),
  ({ archive }, hand) =>
    archive.rows('operation', { scope: THIEF, session: hand.number() }, { after: undefined, limit: 5 }),
]

/** Sends a request to a server with the thief's own key. */
export type Send = (method: string, path: string, body: unknown) => Promise<string>

const routes = surface.filter(({ path }) => !/watch|archive|backup|settled|verify|rebuild/.test(path))

/** Any route, with something stolen for everything that it names, the scope now and then too. */
function sendAny(send: Send, hand: Hand, random: Random): Promise<string> {
  const { method, path } = random.pick(routes)
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(name === 'scope' && random.chance(0.8) ? THIEF : hand.name()),
  )
  const query = method === 'get' && random.chance(0.5) ? `?after=${encodeURIComponent(hand.name())}` : ''
  const body = {
    id: hand.name(),
    query: hand.word(),
    around: hand.name(),
    from: hand.name(),
    to: hand.name(),
    source: { message: hand.name() },
  }
  const chosen = Object.entries(body).filter(() => random.chance(0.4))
  return send(method.toUpperCase(), `${address}${query}`, method === 'get' ? undefined : Object.fromEntries(chosen))
}

export interface Targets {
  readonly memory: Memory
  readonly store: Store
  readonly send: Send
}

interface Choice {
  /** With numbers of rows too. */
  readonly keys: boolean
  readonly only: 'store' | undefined
}

/** One request at random. */
export function request(targets: Targets, hand: Hand, random: Random, { keys, only }: Choice): Promise<string> {
  const { memory, store, send } = targets
  const scope = memory.scope(THIEF)
  const kind = only === 'store' ? 0 : random.next()
  if (kind < 0.32) return outcomeOf(() => random.pick(keys ? [...ofStore, ...byKey] : ofStore)(store, hand))
  if (kind < 0.57) return outcomeOf(() => random.pick(ofScope)(scope, hand))
  if (kind < 0.92)
    return outcomeOf(() =>
      random.pick(ofSession)(scope.session(random.chance(0.8) ? hand.session() : hand.name()), hand),
    )
  return sendAny(send, hand, random)
}
