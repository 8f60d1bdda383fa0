import { describe, expect, it } from 'vitest'
import { summariseWithModel } from '../../src/context/model/model-summary.ts'
import { merge, summarise } from '../context/stages/at-once.ts'
import type { ProposedFold } from '../../src/context/compaction/stage.ts'
import { ledgerOf } from '../../src/context/summary/ledger.ts'
import { withFoldId } from '../../src/context/summary/marker.ts'
import { linesWithBlocks } from '../../src/context/summary/quoted-block.ts'
import type { Entry } from '../../src/context/window/entry.ts'
import { convert } from '../../src/dialects/convert.ts'
import { dialects } from '../../src/domain/dialect.ts'
import type { Draft } from '../../src/domain/message.ts'
import type { Part } from '../../src/domain/part.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { BREAK_OUTS, CANARY } from './break-outs.ts'
import { answering, count, limits, scripted } from '../context/model/scene.ts'
import { applied, assistant, call, inputOf, result, user, windowOf } from '../context/stages/window.ts'

/** Whatever a tool, or an import, can put its words into. */
const FIELDS: Readonly<Record<string, (text: string) => readonly Draft[]>> = {
  'a result in words': (text) => round(result('c', text)),
  'the name of a result': (text) => round(result('c', `Found 12 rows. ${'x'.repeat(20)}`, { name: text })),
  'a failure': (text) => round(result('c', text, { outcome: 'error' })),
  'a denial': (text) => round(result('c', text, { outcome: 'denied' })),
  'a value of JSON': (text) => round(output({ type: 'json', value: { a: [text, 1] } })),
  'a key of JSON': (text) => round(output({ type: 'json', value: { [text]: 7, b: text } })),
  'parts of a result': (text) => round(output({ type: 'parts', parts: [{ type: 'text', text }] })),
  'the name of a file': (text) =>
    round(
      output({
        type: 'parts',
        parts: [
          { type: 'file', mediaType: 'text/csv', name: text, source: { type: 'url', url: `https://x.org/${text}` } },
        ],
      }),
    ),
  'a result without a call': (text) => [...round(result('c', 'ok')), result('lost', text)],
  'a result in a message of the user': (text) => [
    user('look'),
    call(['c', 'fetch', {}]),
    { role: 'user', parts: result('c', text).parts },
    assistant('Done.'),
  ],
}

const IMPORTED: Readonly<Record<string, (text: string) => Draft>> = {
  'a request': (text) => user(text),
  'an answer': (text) => assistant(text),
  'a call': (text) => call(['i', text, { query: text }]),
  'a transcript': (text) =>
    said({ type: 'audio', mediaType: 'audio/wav', transcript: text, source: { type: 'url', url: 'https://x.org/a' } }),
  'structured data': (text) => said({ type: 'data', kind: 'structured', data: { a: text } }),
  'a request of an agent': (text) => ({
    role: 'assistant',
    parts: [{ type: 'agent-call', id: 'a', agent: text, request: text } as Part],
  }),
}

function round(answer: Draft): readonly Draft[] {
  return [user('look it up'), call(['c', 'fetch', { id: 1 }]), answer, assistant('It was looked up.')]
}

function output(value: Extract<Part, { type: 'tool-result' }>['output']): Draft {
  return { role: 'tool', parts: [{ type: 'tool-result', callId: 'c', name: 'fetch', output: value }] }
}

function said(part: Part): Draft {
  return { role: 'user', parts: [part] }
}

/** Entries to fold, with enough besides that a fold is worth it. */
function scene(drafts: readonly Draft[], imported?: Draft): readonly Entry[] {
  const filler = Array.from({ length: 4 }, (_, index) => [
    call([`f${index}`, 'read', { page: index }]),
    result(`f${index}`, `Page ${index}: ${'nothing to see here, all is well. '.repeat(40)}`),
  ]).flat()
  const entries = windowOf([
    ...drafts,
    ...(imported === undefined ? [] : [imported]),
    ...filler,
    assistant('ok'),
    user('go on'),
  ])
  return entries.map((entry) =>
    entry.type === 'message' && imported !== undefined && entry.message.seq === drafts.length + 1
      ? { type: 'message', message: { ...entry.message, imported: true } }
      : entry,
  )
}

/** All ways to tell entries in other words: a summary, in one voice or two; a record; a summary of summaries. */
function foldsOf(entries: readonly Entry[]): readonly ProposedFold[] {
  const input = inputOf(entries)
  const size = { ratio: 1, tokensMax: 2_000 }
  const plain = summarise(input, { unit: 'round', ...size })
  const split = summarise(input, { unit: 'round', ...size, split: true, role: 'assistant' })
  const records = merge(input, { runOver: 1, tokensMin: 0 })
  const twice = [plain, records].flatMap((first) => {
    const told = applied(entries, first)
    return summarise(inputOf(told, { target: 1 }), { unit: 'folds', foldsMin: 1, ...size })
  })
  return [...plain, ...split, ...records, ...twice]
}

/** Texts of a request that have the canary outside of quotes, in whatever field the dialect put them. */
function escaped(wire: unknown): readonly string[] {
  if (typeof wire === 'string') {
    const outside = linesWithBlocks(wire).filter(({ line, quoted }) => !quoted && line.includes(CANARY))
    return outside.map(({ line }) => line)
  }
  return typeof wire === 'object' && wire !== null ? Object.values(wire).flatMap(escaped) : []
}

function escapedIn(standIn: readonly Draft[]): readonly string[] {
  const shown = [...withFoldId(standIn, 'fold-1'), user('go on')]
  return dialects.flatMap((to) => escaped(convert(shown, { from: 'daybook', to })))
}

/** By day every tenth string, each field beginning elsewhere, so that together they have all; at night all of them. */
function sampled(name: string): readonly string[] {
  const step = times({ daily: 20, nightly: 1 })
  const start = [...Object.keys(FIELDS), ...Object.keys(IMPORTED)].indexOf(name)
  return BREAK_OUTS.filter((_, index) => (index + start) % step === 0)
}

describe('[walls-7] folds speak with the voice of what they fold', () => {
  it.each(Object.keys(FIELDS))('%s: no break-out string leaves the quotes, in any dialect', (name) => {
    let shown = 0
    for (const text of sampled(name)) {
      for (const { standIn } of foldsOf(scene(FIELDS[name]?.(text) ?? []))) {
        expect(escapedIn(standIn), JSON.stringify(text)).toEqual([])
        shown += JSON.stringify(standIn).includes(CANARY) ? 1 : 0
      }
    }
    // It was there to be found.
    expect(shown).toBeGreaterThan(name === 'the name of a file' ? 0 : sampled(name).length)
  })

  it.each(Object.keys(IMPORTED))(
    '%s that was imported: no break-out string leaves the quotes, in any dialect',
    (name) => {
      for (const text of sampled(name)) {
        const imported = IMPORTED[name]?.(text)
        if (imported === undefined) throw new Error('no such field')
        for (const { standIn } of foldsOf(scene(round(result('c', 'ok')), imported)))
          expect(escapedIn(standIn), JSON.stringify(text)).toEqual([])
      }
    },
  )

  it("a model's words about what tools said are quoted too", async () => {
    for (const text of BREAK_OUTS.slice(0, 60)) {
      const entries = scene(round(result('c', text)))
      const summary = await summariseWithModel(
        {
          model: scripted(answering(JSON.stringify({ findings: [`The tool said ${CANARY}`, text] }))),
          prompt: { name: 'summarise-round', tokensMax: 500 },
          entries,
          standIn: foldsOf(entries)[0]?.standIn ?? [],
          identifiers: ledgerOf(entries).identifiers,
          count,
        },
        limits(),
      )
      if (summary.ok) expect(escapedIn(summary.standIn)).toEqual([])
    }
  })
})

describe('[walls-8] names in a fold', () => {
  it('that only an untrusted source mentioned stand apart', () => {
    const entries = scene([
      user('Look at order ORD-1001.'),
      call(['c', 'fetch', { path: 'src/own.ts' }]),
      result('c', 'Error: see src/foreign.ts and ORD-1001, ticket EVIL-6660'),
      assistant('Looked at src/own.ts.'),
    ])
    const { identifiers } = ledgerOf(entries)
    const trustOf = (name: string): unknown => identifiers.find(({ text }) => text === name)?.trust
    expect([trustOf('ORD-1001'), trustOf('src/own.ts'), trustOf('src/foreign.ts'), trustOf('EVIL-6660')]).toEqual([
      2, 1, 0, 0,
    ])
    for (const { standIn } of foldsOf(entries))
      for (const { line, quoted } of linesWithBlocks(
        standIn.flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : ''))).join('\n'),
      ))
        if (/foreign|EVIL/.test(line)) expect(quoted).toBe(true)
  })
})

describe('[walls-9] a fold', () => {
  it('is trusted no more than its least trusted part, and the context shows it', async () => {
    await using memory = await openMemory(':memory:')
    const talk = async (id: string, withTools: boolean): Promise<readonly [number, string]> => {
      const chat = memory.scope('a').session(id)
      for (let turn = 0; turn < 12; turn++) {
        await chat.append({ role: 'user', content: `Question ${turn} ${'and so on '.repeat(30)}` })
        if (withTools)
          await chat.append([
            { role: 'assistant', toolCalls: [{ id: `c${turn}`, name: 'look', arguments: {} }] },
            { role: 'tool', toolCallId: `c${turn}`, content: `Result ${turn} ${'of the tool '.repeat(30)}` },
          ])
        await chat.append({ role: 'assistant', content: `Answer ${turn} ${'and more '.repeat(30)}` })
      }
      const context = await chat.context({ budget: 1_500 })
      const line = context.receipt.lines.find(({ type }) => type === 'folded')
      if (line?.type !== 'folded') throw new Error('expected a fold')
      const text = JSON.stringify(context.messages)
      return [line.trust, /trust \d, reopen/.exec(text)?.[0] ?? '']
    }
    expect(await talk('tools', true)).toEqual([0, 'trust 0, reopen'])
    expect(await talk('talk', false)).toEqual([1, 'trust 1, reopen'])
  })
})
