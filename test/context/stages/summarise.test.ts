import { describe, expect, it } from 'vitest'

import type { Draft } from '../../../src/domain/message.ts'
import { type Entry, totalTokens } from '../../../src/context/window/entry.ts'
import { linesWithBlocks } from '../../../src/context/summary/quoted-block.ts'
import { withFoldId } from '../../../src/context/summary/marker.ts'
import { summarise } from './at-once.ts'
import {
  applied,
  assistant,
  call,
  foldOf,
  inputOf,
  result,
  say,
  seqsOf,
  shownIn,
  textOf,
  toolRounds,
  user,
  windowOf,
} from './window.ts'

const ANSWER = 'The report is finished and it names every branch with its turnover. '.repeat(12)

/** A request, some tool work, an answer: 2 + 2n messages. */
function round(request: string, tools = 2, answer = ANSWER): readonly Draft[] {
  return [user(request), ...toolRounds(tools, 600, request.length * 100), assistant(answer)]
}

describe('[cmp-1] summarise: rounds', () => {
  const three = [...round('first request'), ...round('second request!'), ...round('third'), user('go on')]

  it('one summary for each finished round; user messages are kept as they are and stay in place', () => {
    const entries = windowOf(three)
    const proposals = summarise(inputOf(entries), { unit: 'round', keepUser: true, where: 'before-newest-user' })
    expect(seqsOf(proposals)).toEqual([
      [2, 3, 4, 5, 6],
      [8, 9, 10, 11, 12],
      [14, 15, 16, 17, 18],
    ])
    expect(
      proposals.every(
        ({ kind, by, prompt }) => kind === 'summary' && by === 'extract' && prompt?.name === 'summarise-round',
      ),
    ).toBe(true)
    const after = applied(entries, proposals)
    expect(after.map((entry) => entry.type)).toEqual([
      'message',
      'fold',
      'message',
      'fold',
      'message',
      'fold',
      'message',
    ])
    expect(after.filter((entry) => entry.type === 'message').map(({ message }) => message.id)).toEqual([
      'm1',
      'm7',
      'm13',
      'm19',
    ])
  })

  it('says how many messages it stands for, when they were said and what to reopen, in the voice of the user', () => {
    const [proposal] = summarise(inputOf(windowOf(three)), { unit: 'round', keepUser: true })
    expect(proposal?.standIn[0]?.role).toBe('user')
    const [marker] = textOf(withFoldId(proposal?.standIn ?? [], 'fold-1')).split('\n')
    expect(marker).toBe('[summary of 5 messages, 2026-01-01 10:01 to 10:05, trust 0, reopen fold-1]')
  })

  it('takes the request along where it need not stay', () => {
    const [proposal] = summarise(inputOf(windowOf(three)), { unit: 'round' })
    expect(seqsOf([proposal ?? never()])).toEqual([[1, 2, 3, 4, 5, 6]])
    expect(textOf(proposal?.standIn)).toContain('User said: first request')
  })

  it('an incomplete turn is skipped', () => {
    const entries = windowOf([
      user('q1'),
      ...toolRounds(3, 800),
      user('never mind, q2'),
      ...toolRounds(2, 800, 9),
      assistant(ANSWER),
      user('go on'),
    ])
    expect(seqsOf(summarise(inputOf(entries), { unit: 'round', keepUser: true })).flat()[0]).toBe(9)
  })

  it('with `between`, question and answer alone are no round to summarise', () => {
    const entries = windowOf([user('q1'), assistant(ANSWER), ...round('q2'), user('go on')])
    expect(
      seqsOf(summarise(inputOf(entries), { unit: 'round', keepUser: true, between: true })).map(([first]) => first),
    ).toEqual([4])
    expect(seqsOf(summarise(inputOf(entries), { unit: 'round', keepUser: true })).map(([first]) => first)).toEqual([
      2, 4,
    ])
  })

  it('the token gate skips small rounds, and exactly at the gate it does not', () => {
    const entries = windowOf(three)
    const tokens = totalTokens(entries.slice(1, 6))
    const count = (tokensMin: number): number =>
      summarise(inputOf(entries), { unit: 'round', keepUser: true, tokensMin }).length
    expect(count(tokens + 50)).toBe(0)
    expect(summarise(inputOf(entries), { unit: 'round', keepUser: true, tokensMin: tokens }).length).toBeGreaterThan(0)
  })

  it('a summarised round is not summarised again; summaries accumulate over runs', () => {
    const options = { unit: 'round', keepUser: true, where: 'before-newest-user' } as const
    const entries = windowOf(three)
    const once = applied(entries, summarise(inputOf(entries), options))
    expect(summarise(inputOf(once), options)).toEqual([])
    const more = windowOf([...three, ...round('fourth'), user('and on')]).slice(three.length)
    const longer = [...once, ...more]
    const proposals = summarise(inputOf(longer), options)
    expect(proposals).toHaveLength(1)
    expect(applied(longer, proposals).filter(({ type }) => type === 'fold')).toHaveLength(4)
  })

  it('takes the oldest rounds until the target is met, if told so', () => {
    const entries = windowOf(three)
    const tokens = totalTokens(entries)
    const options = { unit: 'round', keepUser: true, take: 'to-target' } as const
    expect(summarise(inputOf(entries, { target: tokens - 100 }), options)).toHaveLength(1)
    expect(summarise(inputOf(entries, { target: 10 }), options)).toHaveLength(3)
    expect(summarise(inputOf(entries, { target: tokens }), options)).toEqual([])
  })

  it('leaves pinned and exempt bundles of a round standing', () => {
    const entries = windowOf(three)
    const [first] = seqsOf(
      summarise(inputOf(entries, { untouchable: new Set([2, 3, 19]) }), { unit: 'round', keepUser: true }),
    )
    expect(first).toEqual([4, 5, 6])
  })
})

describe('summarise: a range', () => {
  const chat = (n: number): readonly Draft[] =>
    Array.from({ length: n }, (_, index) =>
      say(index % 2 === 0 ? 'user' : 'assistant', `message number ${index + 1} says that value ${index} holds for now`),
    )

  it('over 50 entries all but the newest 30 are told: 50 leave all as it is, 51 do not', () => {
    const options = { unit: 'range', entriesOver: 50, keepLast: 30 } as const
    expect(summarise(inputOf(windowOf(chat(50))), options)).toEqual([])
    const [proposal, ...others] = summarise(inputOf(windowOf(chat(51))), options)
    expect(others).toEqual([])
    expect(proposal?.entries).toHaveLength(21)
  })

  it('53 entries leave exactly 30 (not 22), and a bundle on the edge stays whole', () => {
    const options = { unit: 'range', entriesOver: 50, keepLast: 30 } as const
    expect(summarise(inputOf(windowOf(chat(53))), options)[0]?.entries).toHaveLength(23)
    const withBundle = [...chat(22), call(['c', 'read', {}]), result('c', 'text'), ...chat(29)]
    expect(summarise(inputOf(windowOf(withBundle)), options)[0]?.entries).toHaveLength(22)
  })

  it('a second compaction is a no-op', () => {
    const options = { unit: 'range', entriesOver: 50, keepLast: 30 } as const
    const entries = windowOf(chat(60))
    const once = applied(entries, summarise(inputOf(entries), options))
    expect(once).toHaveLength(31)
    expect(summarise(inputOf(once), options)).toEqual([])
  })

  it('the older half: odd counts favour the recent half, and a single giant entry is left to other stages', () => {
    expect(summarise(inputOf(windowOf(chat(21))), { unit: 'range', take: 'half' })[0]?.entries).toHaveLength(10)
    expect(summarise(inputOf(windowOf([assistant('word '.repeat(90_000))])), { unit: 'range', take: 'half' })).toEqual(
      [],
    )
  })

  it('one summary on each side of the newest user message, which stays in its place', () => {
    const entries = windowOf([...round('old'), user('now'), ...toolRounds(6, 800)])
    const proposals = summarise(inputOf(entries), { unit: 'range', keepRounds: 1 })
    expect(proposals.map(({ prompt }) => prompt?.name)).toEqual(['summarise-round', 'summarise-current'])
    expect(applied(entries, proposals).map(({ type }) => type)).toEqual([
      'fold',
      'message',
      'fold',
      'message',
      'message',
    ])
  })

  it('keeps user messages if told so', () => {
    const entries = windowOf([...round('one'), ...round('two'), user('go on')])
    const [proposal] = summarise(inputOf(entries), { unit: 'range', keepUser: true })
    expect(proposal?.entries.every((entry) => entry.type === 'message' && entry.message.role !== 'user')).toBe(true)
  })

  it('earlier summaries stay in place and are not told again', () => {
    const entries = windowOf([...round('one'), ...round('two'), user('go on')])
    const once = applied(entries, summarise(inputOf(entries), { unit: 'range', keepLast: 7 }))
    const proposals = summarise(inputOf(once), { unit: 'range' })
    expect(proposals.flatMap((proposal) => proposal.entries).every(({ type }) => type === 'message')).toBe(true)
    expect(applied(once, proposals).map(({ type }) => type)).toEqual(['fold', 'fold', 'message'])
  })

  it('is told in two messages, what the user asked and what came of it, if told so', () => {
    const entries = windowOf([...round('please find the turnover'), user('go on')])
    const [proposal] = summarise(inputOf(entries), { unit: 'range', split: true, tokensMax: 6_000 })
    expect(proposal?.standIn.map(({ role }) => role)).toEqual(['user', 'assistant'])
    expect(textOf(proposal?.standIn.slice(0, 1))).toContain('User asked: please find the turnover')
    expect(textOf(proposal?.standIn.slice(1))).not.toContain('User asked')
  })

  it('does nothing if it would not save enough', () => {
    const entries = windowOf([...round('one'), user('go on')])
    expect(summarise(inputOf(entries), { unit: 'range', savesMin: 60_000 })).toEqual([])
  })

  it('does not propose a summary that is no smaller', () => {
    expect(summarise(inputOf(windowOf([user('a'), assistant('b'), user('go on')])), { unit: 'range' })).toEqual([])
  })

  it('reaches what is older than three days, also past a first entry of time zero', () => {
    const entries = windowOf(chat(30)).map((entry, index): Entry => {
      if (entry.type !== 'message') return entry
      const at =
        index === 0 ? '1970-01-01T00:00:00.000Z' : index < 12 ? '2026-01-01T00:00:00.000Z' : '2026-01-05T00:00:00.000Z'
      return { type: 'message', message: { ...entry.message, at } }
    })
    const [proposal] = summarise(inputOf(entries), { unit: 'range', olderThanMs: 3 * 24 * 3_600_000 })
    expect(proposal?.entries).toHaveLength(12)
  })

  it('keeps what the user named and every error visible in the summary', () => {
    const entries = windowOf([
      user('Deploy build 4711 of /srv/app/main.ts to https://prod.example.com/health by 2026-03-01, budget $1,200'),
      call(['c', 'deploy', { target: 'prod' }]),
      result('c', `${'step ok\n'.repeat(200)}Error: connect ECONNREFUSED 10.0.0.7:5432\n${'step ok\n'.repeat(200)}`),
      assistant(ANSWER),
      user('go on'),
    ])
    const text = textOf(summarise(inputOf(entries), { unit: 'range' })[0]?.standIn)
    for (const name of [
      'build 4711',
      '/srv/app/main.ts',
      'https://prod.example.com/health',
      '2026-03-01',
      '$1,200',
      'Error: connect ECONNREFUSED 10.0.0.7:5432',
    ]) {
      expect(text).toContain(name)
    }
  })
})

describe('[sum-7] summarise: vital identifiers', () => {
  const entries = windowOf([
    user(`Compare ${Array.from({ length: 60 }, (_, index) => `ORD-${1_000 + index}`).join(', ')} with last year`),
    ...toolRounds(4, 1_500),
    assistant(ANSWER),
    user('go on'),
  ])

  it('stay visible in the fold by default, as many as half of it can hold', () => {
    const text = textOf(summarise(inputOf(entries), { unit: 'range' })[0]?.standIn)
    expect(text.match(/ORD-\d{4}/g)?.length).toBe(60)
  })

  it('do not, if the policy says so', () => {
    const text = textOf(summarise(inputOf(entries), { unit: 'range', vitalShare: 0 })[0]?.standIn)
    expect(text).not.toContain('Kept: ')
  })
})

describe('[cmp-15] summarise: folds of folds', () => {
  /** So many rounds, each summarised with its request kept. */
  function summarised(rounds: number): readonly Entry[] {
    const entries = windowOf([
      ...Array.from({ length: rounds }, (_, index) => round(`request number ${index}`)).flat(),
      user('go on'),
    ])
    return applied(entries, summarise(inputOf(entries), { unit: 'round', keepUser: true, where: 'before-newest-user' }))
  }

  it('does nothing while summaries are within their budget', () => {
    expect(
      summarise(inputOf(summarised(3), { target: 1_000_000 }), { unit: 'folds', summaryTokensMax: 100_000 }),
    ).toHaveLength(0)
  })

  it('summaries beyond their budget are folded into the next level, requests with them', () => {
    const entries = summarised(12)
    const budget = Math.floor(totalTokens(entries) * 0.8)
    const proposals = summarise(inputOf(entries, { target: 1_000_000 }), { unit: 'folds', summaryTokensMax: budget })
    expect(proposals.length).toBeGreaterThan(0)
    expect(proposals.every(({ prompt, kind }) => prompt?.name === 'fold-summaries' && kind === 'summary')).toBe(true)
    const [first] = proposals
    expect(foldOf(first ?? never(), 'f').level).toBe(1)
    expect(textOf(first?.standIn)).toContain('User said: request number 0')
    const after = applied(entries, proposals)
    expect(totalTokens(after)).toBeLessThan(totalTokens(entries))
  })

  it('at most six make one of the next level, and those of the next level are not compacted with those below', () => {
    const entries = summarised(30)
    const budget = Math.floor(totalTokens(entries) * 0.9)
    const proposals = summarise(inputOf(entries, { target: 1_000_000 }), { unit: 'folds', summaryTokensMax: budget })
    const counts = proposals.map((proposal) => proposal.entries.filter(({ type }) => type === 'fold').length)
    expect(Math.max(...counts)).toBeLessThanOrEqual(6)
    const after = applied(entries, proposals)
    const again = summarise(inputOf(after, { target: 1_000_000 }), {
      unit: 'folds',
      summaryTokensMax: Math.floor(totalTokens(after) * 0.9),
    })
    for (const proposal of again) {
      const levels = new Set(proposal.entries.flatMap((entry) => (entry.type === 'fold' ? [entry.fold.level] : [])))
      expect(levels.size).toBe(1)
    }
  })

  it('a context in which everything is summarised already still shrinks', () => {
    const entries = summarised(20)
    const after = applied(
      entries,
      summarise(inputOf(entries, { target: 400 }), { unit: 'folds', summaryTokensMax: 100_000 }),
    )
    expect(totalTokens(after)).toBeLessThan(totalTokens(entries) / 4)
  })

  it('a session without end has a bounded window', () => {
    let entries: readonly Entry[] = []
    const sizes: number[] = []
    let next = 0
    for (let turn = 0; turn < 120; turn++) {
      const drafts = round(`request number ${turn}`, 1)
      const added = windowOf([...Array.from({ length: next }, () => user('')), ...drafts]).slice(next)
      next += drafts.length
      entries = entries.concat(added)
      const target = 3_000
      for (const options of [
        { unit: 'folds', summaryTokensMax: 1_500 },
        { unit: 'round', keepUser: true, where: 'before-newest-user' },
      ] as const) {
        if (totalTokens(entries) > target)
          entries = renamed(applied(entries, summarise(inputOf(entries, { target }), options)), turn)
      }
      sizes.push(totalTokens(entries))
    }
    expect(Math.max(...sizes)).toBeLessThan(5_000)
    expect(shownIn(entries)).toContain('[summary of ')
    const told = entries.reduce((sum, entry) => sum + (entry.type === 'fold' ? entry.fold.messages : 1), 0)
    expect(told).toBe(next)
  })

  it('lines of an earlier summary keep what they told', () => {
    const entries = summarised(8)
    const [proposal] = summarise(inputOf(entries, { target: 600 }), { unit: 'folds' })
    const lines = linesWithBlocks(textOf(proposal?.standIn)).slice(1)
    expect(lines.length).toBeGreaterThan(1)
    const told = /^(?:User said|Answered|Called|Tool returned|Said|Kept|Noted|Named only here): /
    expect(lines.every(({ line }) => told.test(line))).toBe(true)
  })
})

function renamed(entries: readonly Entry[], turn: number): readonly Entry[] {
  return entries.map((entry) =>
    entry.type === 'fold' && !entry.fold.id.includes('/')
      ? { type: 'fold', fold: { ...entry.fold, id: `${entry.fold.id}/${turn}` } }
      : entry,
  )
}

function never(): never {
  throw new Error('expected a proposal')
}
