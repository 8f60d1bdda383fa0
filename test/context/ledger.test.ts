import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Identifier } from '../../src/domain/fold.ts'
import type { Draft } from '../../src/domain/message.ts'
import {
  LEDGER_IDENTIFIERS_MAX,
  identifiersOf,
  ledgerOf,
  mentionsIn,
  visibleIn,
} from '../../src/context/summary/ledger.ts'
import { keepVital, namesLine } from '../../src/context/summary/names-line.ts'
import { withFoldId } from '../../src/context/summary/marker.ts'
import { pathologicalSamples } from '../tokens/pathological-samples.ts'
import { assistant, call, foldOf, messageOf, result, user, windowOf } from './stages/window.ts'

/** `kind text` of every identifier that a user would have said. */
function found(text: string): readonly string[] {
  return mentionsIn(text, 'user').map((mention) => `${mention.kind} ${mention.text}`)
}

describe('[sum-6] the ledger finds', () => {
  const examples: Readonly<Record<string, readonly (readonly [text: string, found: readonly string[]])[]>> = {
    paths: [
      ['edit src/context/ledger.ts, please', ['path src/context/ledger.ts']],
      ['see /etc/nginx/nginx.conf.', ['path /etc/nginx/nginx.conf']],
      ['in ~/notes and ./run.sh and ../lib/x', ['path ~/notes', 'path ./run.sh', 'path ../lib/x']],
      [String.raw`open C:\Users\Ada\Desktop\plan.docx now`, [String.raw`path C:\Users\Ada\Desktop\plan.docx`]],
      [String.raw`on \\server\share\a.txt`, [String.raw`path \\server\share\a.txt`]],
      ['package.json and README.md', ['path package.json', 'path README.md']],
      ['看src/a.ts文件和/home/用户/文档.md文件', ['path src/a.ts', 'path /home/用户/文档.md']],
      ['and/or, 24/7, /help, his/her', []],
    ],
    'URLs and e-mail': [
      [
        'see https://example.com/a?b=1#c, and (http://x.org/y).',
        ['url https://example.com/a?b=1#c', 'url http://x.org/y'],
      ],
      ['postgres://db.internal:5432/app', ['url postgres://db.internal:5432/app']],
      ['on localhost:8080/health', ['url localhost:8080/health']],
      ['访问https://例子.中国/路径。', ['url https://例子.中国/路径']],
      ['mail ada.lovelace+x@example.co.uk today', ['email ada.lovelace+x@example.co.uk']],
      ['schreib an jürgen@müller.de', ['email jürgen@müller.de']],
    ],
    'numbers with units, currency and percent, and versions': [
      ['took 45 ms, 3.5 GB, 12 % or 99.9%', ['number 45 ms', 'number 3.5 GB', 'number 12 %', 'number 99.9%']],
      ['costs $1,299.00 or 12,50 € or 300元', ['number $1,299.00', 'number 12,50 €', 'number 300元']],
      ['v2.1.0 and 18.20.4-beta.1', ['number v2.1.0', 'number 18.20.4-beta.1']],
      ['3 Tage, 5 jours, 7 días, 15 мин', ['number 3 Tage', 'number 5 jours', 'number 7 días', 'number 15 мин']],
      ['a 3, b 14', []],
      ['4 in the morning, 200 in 5 ms', ['number 5 ms']],
    ],
    'dates and times': [
      ['on 2026-01-05 or 2026-01-05T10:00:00Z', ['date 2026-01-05', 'date 2026-01-05T10:00:00Z']],
      [
        'March 3, 2026; 3. März 2026; 3 de marzo de 2026',
        ['date March 3, 2026', 'date 3. März 2026', 'date 3 de marzo de 2026'],
      ],
      ['05.01.2026 at 10:30 am', ['date 05.01.2026', 'date 10:30 am']],
      ['2026年1月5日 and 3月4日 and 2026년 1월 5일', ['date 2026年1月5日', 'date 3月4日', 'date 2026년 1월 5일']],
      ['may I march on?', []],
    ],
    codes: [
      ['ERR-7731, ORD_12 and CVE-2024-1234', ['code ERR-7731', 'code ORD_12', 'code CVE-2024-1234']],
      ['set DATABASE_URL', ['code DATABASE_URL']],
      ['cus_9s6XKzkNRiz8i3', ['code cus_9s6XKzkNRiz8i3']],
      ['550e8400-e29b-41d4-a716-446655440000', ['code 550e8400-e29b-41d4-a716-446655440000']],
      ['My order 7731 is late', ['code order 7731']],
      ['订单号：A7731 和订单 7731', ['code A7731', 'code 订单 7731']],
      ['issue #42 and 10.0.0.7:5432', ['code #42', 'code 10.0.0.7:5432']],
      ['UTF-8 is well-known', []],
    ],
    hashes: [
      ['commit 9fceb02d', ['hash 9fceb02d']],
      ['sha256:ab12cd34ef567890', ['hash sha256:ab12cd34ef567890']],
      ['0xdeadbeef12', ['hash 0xdeadbeef12']],
      ['the facade was defaced', []],
    ],
    'quoted names': [
      ['call it "Project Phoenix" or \'blue door\'', ['quoted Project Phoenix', 'quoted blue door']],
      ['run `computeTotal()`', ['quoted computeTotal()']],
      [
        '«Nord-Süd» „Adler“ “Eagle” 「火星計画」 《红楼梦》',
        ['quoted Nord-Süd', 'quoted Adler', 'quoted Eagle', 'quoted 火星計画', 'quoted 红楼梦'],
      ],
      ["don't say it isn't", []],
    ],
    'error strings': [
      ['all fine\nTypeError: x is not a function\n    at foo (bar)', ['error TypeError: x is not a function']],
      ['npm ERR! missing script', ['error npm ERR! missing script']],
      ['Process exited with code 137', ['error Process exited with code 137', 'code code 137']],
      ['java.lang.NullPointerException: oops', ['error java.lang.NullPointerException: oops']],
      ['Fehler: Verbindung getrennt', ['error Fehler: Verbindung getrennt']],
      ['エラー：接続できません', ['error エラー：接続できません']],
      ['错误：连接超时', ['error 错误：连接超时']],
      ['exit code 0, no errors, error handling', ['code code 0']],
    ],
  }

  for (const [kind, list] of Object.entries(examples)) {
    it(kind, () => {
      for (const [text, expected] of list) expect(found(text), text).toEqual(expected)
    })
  }
})

describe('the ledger of messages', () => {
  it('has each identifier once, by first appearance, with the messages that have it; vital is what the user said, and errors', () => {
    const drafts: readonly Draft[] = [
      assistant('I will look at src/b.ts'),
      user('look at src/a.ts'),
      call(['c', 'read_file', { path: 'src/a.ts', note: String.raw`C:\temp\x.log` }]),
      result('c', 'Error: ENOENT: no such file, open src/a.ts'),
      user('and src/b.ts'),
    ]
    const identifiers = identifiersOf(drafts.map((draft, index) => messageOf(draft, index + 1)))
    expect(identifiers.map(({ text, seqs, vital }) => [text, seqs, vital])).toEqual([
      ['src/b.ts', [1, 5], true],
      ['src/a.ts', [2, 3, 4], true],
      [String.raw`C:\temp\x.log`, [3], false],
      ['Error: ENOENT: no such file, open src/a.ts', [4], true],
      ['ENOENT', [4], false],
    ])
  })

  it('takes the first line of a result that failed for its error, whatever it says', () => {
    const [identifier] = identifiersOf([messageOf(result('c', 'no luck today\nmore', { outcome: 'error' }), 3)])
    expect(identifier).toEqual({ kind: 'error', text: 'no luck today', seqs: [3], vital: true, trust: 0 })
  })

  it('is bounded: the vital ones come first, and what was cut is counted', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `ID-${index}`).join(' ')
    const { identifiers, omitted } = ledgerOf(windowOf([assistant(many), user('and ID-1000, ID-1001')]))
    expect(identifiers).toHaveLength(LEDGER_IDENTIFIERS_MAX)
    expect(omitted).toBe(1_002 - LEDGER_IDENTIFIERS_MAX)
    expect(identifiers.slice(-2).map(({ text }) => text)).toEqual(['ID-1000', 'ID-1001'])
  })

  it('of a fold of folds is that of its folds', () => {
    const entries = windowOf([user('see src/a.ts')])
    const ledger = ledgerOf(entries).identifiers
    const fold = { ...foldOf({ kind: 'summary', entries, standIn: [user('…')], by: 'extract' }, 'f'), ledger }
    expect(
      ledgerOf([{ type: 'fold', fold }, ...windowOf([user(''), user('src/a.ts again')]).slice(1)]).identifiers,
    ).toEqual([{ kind: 'path', text: 'src/a.ts', seqs: [1, 2], vital: true, trust: 2 }])
  })

  it('points at the first messages and the newest, of however many', () => {
    const entries = windowOf(Array.from({ length: 500 }, () => user('ID-7')))
    const seqs = ledgerOf(entries).identifiers[0]?.seqs ?? []
    expect(seqs).toHaveLength(16)
    expect([seqs[0], seqs.at(-1)]).toEqual([1, 500])
  })
})

describe('what stays visible', () => {
  it('is read in texts, results and decoded arguments, as whole words and whatever the white space', () => {
    const sees = visibleIn([
      call(['c', 'write', { path: String.raw`C:\a\b.txt` }]),
      assistant('it took 312 ms;\nError:  no\n luck'),
    ])
    const visible = (text: string): boolean => sees({ text })
    expect(visible(String.raw`C:\a\b.txt`)).toBe(true)
    expect(visible('312 ms')).toBe(true)
    expect(visible('12 ms')).toBe(false)
    expect(visible('Error: no luck')).toBe(true)
    expect(visible('src/a.ts')).toBe(false)
  })

  it('vital identifiers that a stand-in lacks are appended on one line, within its bound', () => {
    const identifiers: readonly Identifier[] = [
      { kind: 'path', text: 'src/a.ts', seqs: [1], vital: true, trust: 2 },
      { kind: 'path', text: 'src/seen.ts', seqs: [1], vital: true, trust: 2 },
      { kind: 'path', text: 'src/other.ts', seqs: [2], vital: false, trust: 2 },
      { kind: 'error', text: 'Error: no\nluck [summary of 1 message]', seqs: [3], vital: true, trust: 2 },
    ]
    expect(keepVital('saw src/seen.ts', identifiers, 200)).toBe(
      'saw src/seen.ts\nKept: src/a.ts; Error: no luck (summary of 1 message]',
    )
    expect(keepVital('saw src/seen.ts', identifiers, 40)).toBe('saw src/seen.ts\nKept: src/a.ts (1 more in {fold-id})')
    expect(keepVital('src/a.ts', identifiers.slice(0, 1), 200)).toBe('src/a.ts')
    expect(keepVital('x', identifiers, 5)).toBe('x')
    expect(keepVital('x', [], 100)).toBe('x')
  })

  it('[contexts-14] many names that nobody asked for are shown as a range or by their ends, and places in a text not at all', () => {
    const at = (kind: Identifier['kind'], text: string, seq: number, vital = false): Identifier => ({
      kind,
      text,
      seqs: [seq],
      vital,
      trust: 1,
    })
    const many = (count: number, make: (index: number) => Identifier): readonly Identifier[] =>
      Array.from({ length: count }, (_, index) => make(index))
    const line = (identifiers: readonly Identifier[]): string =>
      namesLine('Kept:', '', identifiers, { charactersMax: 500, othersMax: 500 })
    expect(line(many(40, (index) => at('code', `k-${index + 1}`, 1)))).toBe('Kept: k-1–40')
    expect(line(many(30, (index) => at('code', `k-${index + 1}`, index)))).toBe('Kept: k-1–30')
    expect(line([at('code', 'line 101', 1), at('code', 'line 102', 1), at('path', 'src/a.ts', 1)])).toBe(
      'Kept: src/a.ts',
    )
    expect(line(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => at('path', `src/${name}.ts`, 1)))).toBe(
      'Kept: src/a.ts … src/f.ts (6)',
    )
    expect(line(many(19, (index) => at('error', `socket.ts:${index * 3} no`, 1, true)))).toBe(
      'Kept: socket.ts:0–54 no (19 times)',
    )
    // Codes far apart are no series, and what the user named is shown one by one.
    expect(line([7, 4_000, 90_000].map((number) => at('code', `ORD-${number}`, number)))).toBe(
      'Kept: ORD-7; ORD-4000; ORD-90000',
    )
    expect(line(many(3, (index) => at('code', `ORD-${index}`, 1, true)))).toBe('Kept: ORD-0; ORD-1; ORD-2')
  })

  it('what is kept is visible, and its line is never longer than allowed', () => {
    const names = fc.array(fc.stringMatching(/^[A-Z]{2,5}-\d{1,6}$/), { maxLength: 40 })
    fc.assert(
      fc.property(names, fc.integer({ min: 0, max: 300 }), (texts, charactersMax) => {
        const identifiers = texts.map((text) => ({ kind: 'code' as const, text, seqs: [1], vital: true }))
        const kept = keepVital('summary', identifiers, charactersMax)
        expect(kept.length - 'summary'.length).toBeLessThanOrEqual(charactersMax + 1)
        if (charactersMax >= 20 * texts.length + 40) {
          const sees = visibleIn(withFoldId([assistant(kept)], 'f'))
          expect(identifiers.every(sees)).toBe(true)
        }
      }),
    )
  })
})

describe('the ledger is linear', () => {
  const pieces = [
    'a.',
    'a/',
    'a-',
    '1.',
    '1,',
    '/',
    '\\',
    '"',
    "'a",
    '`',
    'a@',
    '@',
    'x:',
    '://',
    'a1',
    'A-1 ',
    'A_',
    'v1',
    '0x',
    '1:',
    '#1 ',
    'Error',
    '«',
    'Jan ',
    '1 Jan ',
    '12 ',
    '$1',
    'C:\\',
    '../',
    'a b@c.',
    'ab12cd34 ',
    'failed ',
    '\u0001',
    '.ts',
    'a.ts',
    '年1',
    'sha1-',
    '「',
  ]
  const CHARACTERS = 250_000
  const nonsense = [
    ...pathologicalSamples(CHARACTERS),
    ...pieces.map((piece) => ({ name: piece, text: piece.repeat(Math.ceil(CHARACTERS / piece.length)) })),
  ]

  it(`in ${CHARACTERS} characters of any of ${nonsense.length} kinds of nonsense`, { timeout: 180_000 }, () => {
    // A regular expression that backtracks takes hours here: the time-out of the test is enough.
    for (const { name, text } of nonsense) expect(mentionsIn(text, 'user').length, name).toBeLessThan(text.length)
  })

  it('and never throws nor finds what is not there', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        for (const mention of mentionsIn(text, 'other')) expect(text).toContain(mention.text)
      }),
    )
  })
})
