import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookOf, plain } from '../../src/cli/look.ts'
import { renderEntries } from '../../src/cli/render/session.ts'
import { renderRecalled } from '../../src/cli/render/recall.ts'
import { wrap } from '../../src/cli/render/layout.ts'
import { windowDiff } from '../../src/cli/render/window-diff.ts'
import { terminalLine, terminalText, terminalJSON, visibleStream } from '../../src/cli/visible.ts'
import type { Fold } from '../../src/domain/fold.ts'
import type { Message } from '../../src/domain/message.ts'

/** Anything but printable text, line feeds and tabs: what must not reach a terminal. */
const DANGEROUS =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u

function message(seq: number, rest: Pick<Message, 'role' | 'parts'> & Partial<Message>): Message {
  return { id: `m${seq}`, seq, at: '2026-05-01T12:00:00.000Z', tokens: 7, tokenizer: 'estimate', revision: 0, ...rest }
}

const fold: Fold = {
  id: 'f1',
  kind: 'summary',
  sources: [
    { from: 2, through: 9 },
    { from: 11, through: 11 },
  ],
  messages: 9,
  standIn: [{ role: 'user', parts: [{ type: 'text', text: 'Earlier: the order was late.' }] }],
  tokens: 1_234,
  tokenizer: 'estimate',
  level: 0,
  trust: 1,
  by: 'extract',
  answeredAt: 9,
  firstAt: '2026-05-01T12:00:00.000Z',
  lastAt: '2026-05-01T12:00:00.000Z',
  ledger: [],
  omitted: 0,
  tags: [],
  tools: [],
}

describe('[cli-2] show', () => {
  it('reads as a person wants to read it: folds, tokens, calls and results', () => {
    const entries: readonly (Message | Fold)[] = [
      message(1, { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }], tokens: 1 }),
      fold,
      message(12, {
        role: 'user',
        name: 'Ada',
        tags: ['urgent'],
        parts: [{ type: 'text', text: 'Where is it?\nI wait.' }],
      }),
      message(13, {
        role: 'assistant',
        revision: 1,
        parts: [
          { type: 'reasoning', text: 'Look it up.' },
          { type: 'tool-call', id: 'c1', name: 'lookup', arguments: '{"order":7731,"deep":{"a":[1]}}' },
          { type: 'tool-call', id: 'c2', name: 'lookup', arguments: '{"order":77' },
        ],
      }),
      message(14, {
        role: 'tool',
        parts: [
          { type: 'tool-result', callId: 'c1', name: 'lookup', output: { type: 'json', value: { state: 'late' } } },
          {
            type: 'tool-result',
            callId: 'c2',
            name: 'lookup',
            outcome: 'error',
            output: { type: 'text', text: 'no such order' },
          },
        ],
      }),
      message(15, {
        role: 'user',
        removed: true,
        parts: [
          { type: 'image', source: { type: 'blob', hash: 'ab12cd34ef56ab12', bytes: 2_048 }, mediaType: 'image/png' },
        ],
      }),
    ]
    expect(renderEntries(entries, { ...plain, full: false })).toBe(`[1] system 2026-05-01 12:00 · 1 token
  Be kind.

[2–9, 11] folded: summary 9 messages · 1,234 tokens · by extract · f1
  ┆ Earlier: the order was late.

[12] user Ada 2026-05-01 12:00 · 7 tokens · #urgent
  Where is it?
  I wait.

[13] assistant 2026-05-01 12:00 · 7 tokens · revision 1
  (thinks) Look it up.
  → lookup(order: 7731, deep: {"a":[1]}) c1
  → lookup({"order":77) c2

[14] tool 2026-05-01 12:00 · 7 tokens
  ← lookup c1
  {"state":"late"}
  ← lookup (error) c2
  no such order

[15] user 2026-05-01 12:00 · 7 tokens · removed from the window
  [image image/png: 2,048 bytes, ab12cd34ef56]`)
  })

  it('shortens what no screen holds, says by how much, and shows it with full', () => {
    const long = message(1, {
      role: 'user',
      parts: [{ type: 'text', text: Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n') }],
    })
    const lines = renderEntries([long], { ...plain, full: false }).split('\n')
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toBe('  … 31 more lines, --full shows them')
    expect(renderEntries([long], { ...plain, full: true }).split('\n')).toHaveLength(51)
  })

  it('keeps to the width of a terminal', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
    expect(wrap('unbreakable-word short', 5)).toEqual(['unbreakable-word', 'short'])
    expect(wrap('one two three four', undefined)).toEqual(['one two three four'])
  })
})

describe('[cli-2] the difference of two windows', () => {
  it('tells what is gone and into which fold, what is new, and what was revised', () => {
    const text = (seq: number, said: string, revision = 0): Message =>
      message(seq, { role: 'user', parts: [{ type: 'text', text: said }], revision })
    const before = [text(1, 'a'), text(2, 'b'), text(3, 'c'), text(10, 'd')]
    const after = [text(1, 'a'), fold, text(10, 'D', 1), text(12, 'new')]
    expect(
      windowDiff(before, after).changes.map(({ change, entry, foldedInto }) => [change, entry.id, foldedInto]),
    ).toEqual([
      ['kept', 'm1', undefined],
      ['gone', 'm2', 'f1'],
      ['added', 'f1', undefined],
      ['gone', 'm3', 'f1'],
      ['gone', 'm10', undefined],
      ['added', 'm10', undefined],
      ['added', 'm12', undefined],
    ])
    expect(windowDiff(before, before).changes.every(({ change }) => change === 'kept')).toBe(true)
  })
})

describe('[cli-1] stored text', () => {
  it('shows control characters instead of sending them', () => {
    expect(terminalText('\u001B[31mred\u0007 \u009B2J a\u202Eb \u200B\uFEFF\tok\r\nnext\rend')).toBe(
      '\\u001b[31mred\\u0007 \\u009b2J a\\u202eb \\u200b\\ufeff\tok\nnext\\u000dend',
    )
    expect(terminalText('👩‍👩‍👧 नमस्ते café 你好')).toBe('👩‍👩‍👧 नमस्ते café 你好')
    expect(terminalLine(' two\n lines ')).toBe('two lines')
  })

  it('is the same when it comes in pieces, wherever they are cut', () => {
    const text = fc.string({ unit: fc.constantFrom('👩', 'a', '\r', '\n', '\u001B', '\uD83D', '\uDC69') })
    fc.assert(
      fc.property(text, fc.array(fc.nat({ max: 20 })), (said, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < said.length).toSorted((a, b) => a - b), said.length]
        const stream = visibleStream()
        const pieces = places.slice(1).map((end, index) => stream.add(said.slice(places[index], end)))
        expect(pieces.join('') + stream.end()).toBe(terminalText(said))
      }),
    )
  })

  it('is never obeyed by a terminal, and read back from JSON exactly', () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code)) })
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (said) => {
        expect(terminalText(said)).not.toMatch(DANGEROUS)
        expect(terminalJSON({ said })).not.toMatch(DANGEROUS)
        expect(JSON.parse(terminalJSON({ said }, 2))).toEqual({ said })
      }),
    )
  })

  it('stays visible in everything that is rendered of a message', () => {
    const evil = '\u001B]0;title\u0007\u001B[2J\u009B1m\u202E'
    fc.assert(
      fc.property(fc.constantFrom('text', 'reasoning', 'call', 'result', 'data', 'agent', 'name', 'image'), (where) => {
        const parts = {
          text: [{ type: 'text', text: evil }],
          reasoning: [{ type: 'reasoning', text: evil }],
          call: [{ type: 'tool-call', id: evil, name: evil, arguments: JSON.stringify({ [evil]: evil }) }],
          result: [{ type: 'tool-result', callId: evil, name: evil, output: { type: 'text', text: evil } }],
          data: [{ type: 'data', kind: evil, data: { [evil]: evil } }],
          agent: [{ type: 'agent-call', agent: evil, request: evil }],
          name: [{ type: 'text', text: 'x' }],
          image: [{ type: 'image', mediaType: evil, source: { type: 'url', url: evil } }],
        }[where] as Message['parts']
        const entry = message(1, { role: 'user', name: evil, tags: [evil], parts })
        expect(
          renderEntries([entry, { ...fold, id: evil, standIn: [{ role: 'user', parts }] }], { ...plain, full: false }),
        ).not.toMatch(DANGEROUS)
      }),
    )
  })

  it('stays visible in what was recalled', () => {
    const evil = '\u001B[2J\u202E'
    const source = { scope: 'a', session: evil, seq: 1, id: evil }
    const why = { words: [{ word: evil, weight: 1 }], nearby: [evil], signals: {} as never, speaker: evil, edge: evil }
    const item = {
      kind: 'message' as const,
      text: evil,
      score: 1,
      relevance: 1,
      why,
      source,
      trust: 0 as const,
      at: '2026-05-01T12:00:00.000Z',
      tokens: 1,
      speaker: evil,
      before: evil,
      after: evil,
    }
    const shown = renderRecalled(
      { items: [item], dropped: [{ kind: 'message', source, score: 0.5, reason: 'duplicate' }] },
      plain,
    )
    expect(shown).not.toMatch(DANGEROUS)
    expect(shown).toContain('trust: not trusted')
    expect(shown).toContain('Considered and left out:\n  duplicate')
  })
})

describe('[cli-1] colours', () => {
  const coloured = (isTTY: boolean, env: Record<string, string>): boolean =>
    lookOf({ isTTY, columns: 100 } as never, env).paint('red', 'x') !== 'x'

  it.each([
    ['on a terminal', true, {}, true],
    ['not in a pipe', false, {}, false],
    ['not on a terminal with NO_COLOR', true, { NO_COLOR: '1' }, false],
    ['on a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, true],
    ['in a pipe with FORCE_COLOR', false, { FORCE_COLOR: '1' }, true],
    ['not with FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, false],
    ['not where NO_COLOR stands against FORCE_COLOR', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
    ['not on a dumb terminal', true, { TERM: 'dumb' }, false],
  ] as const)('%s', (_, terminal, env, expected) => {
    expect(coloured(terminal, env)).toBe(expected)
  })
})
