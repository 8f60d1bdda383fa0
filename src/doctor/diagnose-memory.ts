import { defined } from '../domain/defined.ts'
import type { Dialect } from '../domain/dialect.ts'
import type { JSONValue } from '../domain/json.ts'
import type { Draft, Message } from '../domain/message.ts'
import type { Part } from '../domain/part.ts'
import { convert } from '../dialects/convert.ts'
import type { Memory } from '../api/memory.ts'
import { LocalMemory } from '../memory/memory.ts'
import type { Scope } from '../api/scope.ts'
import { documentProblems } from './examine.ts'
import type { Diagnosis, Finding } from './finding.ts'
import { pointerOf } from './pointer.ts'
import type { DoctorProblem } from './rules/problem.ts'
import { type ExaminedConversation, conversationOf } from './specimen.ts'
import { storedSecrets } from './stored-secrets.ts'

export interface DiagnoseMemoryOptions {
  /** Also held to the rules of these providers. A context is repaired for each of them whatever is found. @default none */
  readonly dialects?: readonly Dialect[]
  /** @default none */
  readonly ignore?: readonly string[]
  /** Called now and then with how many messages were read. */
  readonly onProgress?: (messages: number) => void
}

const SESSIONS_PER_PAGE = 100
/** A history is examined in stretches: memory stays bounded whatever its length. */
const MESSAGES_PER_STRETCH = 20_000
const FINDINGS_MAX = 10_000

/**
 * What is wrong with a memory of ours: its file and every stored byte (`verify`), then every conversation and what is known.
 * Changes nothing: the log keeps what happened, a context is valid all the same, and only `forget` destroys a secret.
 */
export async function diagnoseMemory(memory: Memory, options: DiagnoseMemoryOptions = {}): Promise<Diagnosis> {
  const findings: Finding[] = [...(await damageOf(memory))]
  let [records, more] = [0, 0]
  function add(found: readonly Finding[]): void {
    for (const finding of found) {
      if (findings.length < FINDINGS_MAX) findings.push(finding)
      else more += 1
    }
  }
  for await (const { scope, session } of sessionsOf(memory)) {
    for await (const messages of stretches(memory.scope(scope), session)) {
      records += messages.length
      add(findingsIn(messages, { scope, session }, options))
      options.onProgress?.(records)
    }
  }
  for await (const finding of storedSecrets(memory, options.ignore ?? [])) add([finding])
  return {
    kind: 'store',
    dialect: 'daybook',
    records,
    findings,
    more,
    ok: findings.every(({ severity }) => severity !== 'error'),
    patch: [],
  }
}

async function damageOf(memory: Memory): Promise<readonly Finding[]> {
  const { file, damage } = await memory.verify()
  const base = { rule: 'damage', topic: 'damage', severity: 'error' } as const
  return [
    ...file.map((message): Finding => ({ ...base, place: {}, message })),
    ...damage.map(({ scope, session, seq, message }): Finding => ({
      ...base,
      place: { scope, session, ...(seq === null ? {} : { seq }) },
      message,
    })),
  ]
}

async function* sessionsOf(memory: Memory): AsyncGenerator<{ readonly scope: string; readonly session: string }> {
  const { store } = LocalMemory.partsOf(memory)
  for (let before: number | undefined; ;) {
    const page = await store.log.sessions({ everyScope: true }, { limit: SESSIONS_PER_PAGE, ...defined({ before }) })
    for (const { scope, name } of page) yield { scope, session: name }
    before = page.at(-1)?.key
    if (page.length < SESSIONS_PER_PAGE) return
  }
}

async function* stretches(scope: Scope, session: string): AsyncGenerator<readonly Message[]> {
  for (let after = 0; ;) {
    const page = await scope.session(session).history({ after, limit: MESSAGES_PER_STRETCH })
    if (page.length > 0) yield page
    if (page.length < MESSAGES_PER_STRETCH) return
    after = page.at(-1)?.seq ?? after
  }
}

interface Address {
  readonly scope: string
  readonly session: string
}

function findingsIn(
  messages: readonly Message[],
  address: Address,
  { dialects = [], ignore = [] }: DiagnoseMemoryOptions,
): readonly Finding[] {
  const live = messages.filter(({ removed }) => removed !== true)
  const found = documentProblems(
    { kind: 'store', value: messages as unknown as JSONValue, conversations: [conversation(live, 'daybook')] },
    ignore,
  )
  const seam = (messages[0]?.seq ?? 1) > 1
  return [
    ...found
      // A stretch that begins in the middle of a turn, or ends in one, is no fault of the log.
      .filter((problem) => !(seam || messages.length === MESSAGES_PER_STRETCH) || !isAtSeam(problem, live.length))
      .map((problem) => findingOf(problem, problem.rule === 'secret' ? messages : live, address)),
    ...dialects.flatMap((dialect) =>
      foreignProblems(live, dialect, ignore).map((problem): Finding => ({
        ...findingOf({ ...problem, path: [] }, live, address),
        message: `${dialect}: ${problem.message}`,
      })),
    ),
  ]
}

function isAtSeam({ rule, path }: DoctorProblem, length: number): boolean {
  const at = typeof path[0] === 'number' ? path[0] : 0
  return ['C1', 'C2', 'C3', 'C7'].includes(rule) && (at < 32 || at >= length - 32)
}

function findingOf(
  { rule, topic, severity, path, message }: DoctorProblem,
  messages: readonly Message[],
  address: Address,
): Finding {
  const [index, ...within] = path
  const seq = typeof index === 'number' ? messages[index]?.seq : undefined
  return {
    rule,
    topic,
    severity,
    place: { ...address, ...(seq === undefined ? {} : { seq, pointer: pointerOf(within) }) },
    message,
  }
}

function conversation(drafts: readonly Draft[], dialect: Dialect): ExaminedConversation {
  const wire = drafts as unknown as readonly JSONValue[]
  return conversationOf({ dialect, path: [], key: [], wire, messages: wire, options: {} })
}

/** In the words of a provider: what it would reject if somebody sent the history as it is. */
function foreignProblems(
  messages: readonly Message[],
  dialect: Dialect,
  ignore: readonly string[],
): readonly DoctorProblem[] {
  const wire = convert(messages.map(withoutBlobs), { from: 'daybook', to: dialect }) as unknown as JSONValue
  const opened = conversationOf({ dialect, path: [], key: [], wire, messages: [], options: {} })
  return documentProblems({ kind: 'store', value: null, conversations: [opened] }, ignore).filter(({ rule }) =>
    /^[A-Z]\d/.test(rule),
  )
}

/** The bytes of images decide nothing here. */
function withoutBlobs(message: Message): Draft {
  const plain = (part: Part): Part =>
    'source' in part && part.source.type === 'blob' ? { type: 'text', text: `[${part.type}]` } : part
  const parts = message.parts.map((part) =>
    part.type === 'tool-result' && part.output.type === 'parts'
      ? { ...part, output: { ...part.output, parts: part.output.parts.map((each) => plain(each) as typeof each) } }
      : plain(part),
  )
  return { role: message.role, parts }
}
