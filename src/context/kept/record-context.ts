import { defined } from '../../domain/defined.ts'
import { hash as digest } from 'node:crypto'
import type { ReceiptLine } from '../../api/contexts.ts'
import type { Draft, Message } from '../../domain/message.ts'
import type { KeptText, NewKeptContext } from '../../ports/kept-context-store.ts'
import { markTokens } from '../compaction/bounds.ts'
import { policyWithin } from '../compaction/policy-within.ts'
import { draftsOf } from '../window/entry.ts'
import type { ContextToRecord } from './context-to-record.ts'
import { type KeptBody, type KeptHead, MARK_LENGTH, type MessageReference, type PackedLine } from './kept-body.ts'
import { hashOfMessage, messageDigest } from './message-digest.ts'

/** A record of a context: references into the log, and the texts that are not in it. */
export function recordContext(
  built: ContextToRecord,
  { id, at, missed }: { readonly id: string; readonly at: number; readonly missed: number },
): NewKeptContext {
  const { address, window, options, assembled, cache, recalled } = built
  const { messages, receipt } = assembled
  const { policy, budget, model, reserve, pins, blocks, recall, bytes, strict, shrink } = options
  const texts = new Map<string, KeptText>()
  const keep = (body: string, borrowed: boolean): string => {
    const hash = digest('sha256', body)
    texts.set(hash, { hash, borrowed, body })
    return hash
  }
  const { lines, tokens, blocks: blockLines, repairs } = receipt
  const head: KeptHead = {
    version: window.view.version,
    lastSeq: window.view.lastSeq,
    ...defined({ model }),
    policy: policy.name,
    ...waterMarks(built),
    messages: messages.length,
    tokens,
    cache,
    digest: messageDigest(messages),
    missed,
  }
  const body: KeptBody = {
    // A text that was recalled before is among the messages.
    options: {
      budget,
      model,
      reserve,
      pins,
      blocks,
      bytes,
      strict,
      shrink,
      recall: typeof recall === 'object' && recall.text !== undefined ? true : recall,
    },
    policy: keep(JSON.stringify(policy), false),
    references: referencesTo(built, texts),
    marks: messages.map((draft) => hashOfMessage(draft).slice(0, MARK_LENGTH)).join(''),
    lines: packed(lines),
    receipt: { blocks: blockLines, bytes: receipt.bytes, repairs },
    ...(recalled.length === 0 ? {} : { recalled: keep(JSON.stringify(recalled), true) }),
  }
  const kept = [...texts.values()]
  return {
    ...address,
    key: window.view.session.key,
    forgettings: built.begun.forgettings,
    row: {
      id,
      at,
      version: window.view.version,
      borrowed: kept.some(({ borrowed }) => borrowed),
      head: JSON.stringify(head),
      body: JSON.stringify(body),
    },
    texts: kept,
  }
}

function waterMarks({ options: { policy }, room }: ContextToRecord): Pick<KeptHead, 'highMark' | 'lowMark'> {
  const { high, low } = policyWithin(policy, room)
  return {
    ...(high.mark === undefined ? {} : { highMark: markTokens(high.mark, room) }),
    ...(low.mark === undefined ? {} : { lowMark: markTokens(low.mark, room) }),
  }
}

function referencesTo(built: ContextToRecord, texts: Map<string, KeptText>): readonly MessageReference[] {
  const { window, terms, assembled, recalled } = built
  const places = new Set(assembled.messages.map((draft) => (draft as Partial<Message>).seq))
  const logged = new Set<Draft>()
  for (const entry of window.entries)
    if (entry.type === 'message' && places.has(entry.message.seq)) logged.add(entry.message)
  // What was put right on its way is a copy, and may be one of recalled text.
  const borrows = recalled.length > 0 || terms.blocks.some(({ line }) => line.shown)
  const own = new Set<Draft>(borrows ? [...terms.system, ...terms.plan, ...terms.entries.flatMap(draftsOf)] : [])
  const references: MessageReference[] = []
  for (const draft of assembled.messages) {
    const { seq, incomplete } = draft as Partial<Message>
    const last = references.at(-1)
    // The log does not keep the steps of a message that was still being streamed.
    if (logged.has(draft) && seq !== undefined && incomplete === undefined) {
      if (typeof last === 'object' && last[1] === seq - 1) references[references.length - 1] = [last[0], seq]
      else references.push([seq, seq])
      continue
    }
    const hash = hashOfMessage(draft)
    references.push(hash)
    texts.set(hash, { hash, borrowed: borrows && !own.has(draft), body: JSON.stringify(draft) })
  }
  return references
}

function packed(lines: readonly ReceiptLine[]): readonly PackedLine[] {
  const runs: (PackedLine | { as: ReceiptRun['as']; from: number; tokens: number[] })[] = []
  let open: { readonly as: ReceiptRun['as']; readonly from: number; readonly tokens: number[] } | undefined
  for (const line of lines) {
    if (line.type !== 'kept') {
      runs.push(line)
      open = undefined
    } else if (open?.as === line.as && open.from + open.tokens.length === line.seq) {
      open.tokens.push(line.tokens)
    } else {
      open = { as: line.as, from: line.seq, tokens: [line.tokens] }
      runs.push(open)
    }
  }
  return runs
}

type ReceiptRun = Extract<PackedLine, { readonly from: number }>
