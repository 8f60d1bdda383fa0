import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plotLines } from '../../src/cli/render/plot-lines.ts'
import { plotSvg } from '../../src/cli/render/plot-svg.ts'
import { table } from '../../src/cli/render/table.ts'
import { runCommandLine } from '../../src/cli/run.ts'
import { openMemory } from '../../src/memory/open-memory.ts'
import { shellForHelp } from '../repository/unknown-words.ts'
import { daybook, folder } from './harness.ts'

const place = folder()

describe('tables', () => {
  const head = ['session', 'messages', 'about']
  const rows = [
    ['support-42', '1,204', 'You help customers of Acme with orders that are late, lost or damaged.'],
    ['b', '7', ''],
  ]

  it('[words-19] wrap between words where the terminal is narrow, and lose nothing', () => {
    const lines = table(head, rows, { right: [1], width: 60 })
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(60)
    expect(lines[1]).toMatch(/^support-42 {5}1,204 {2}You help/)
    expect(lines.slice(1, -1).join(' ').replaceAll(/\s+/g, ' ')).toContain(
      'with orders that are late, lost or damaged.',
    )
    expect(table(head, rows, { right: [1], width: undefined })[1]).toContain(rows[0]?.[2])
  })

  it('[words-19] are as wide as the terminal at most, with words that fit', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    const cell = fc.array(word, { maxLength: 20 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(
        fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 }),
        fc.integer({ min: 60, max: 200 }),
        (all, width) => {
          const lines = table(['a', 'b', 'c'], all, { width })
          expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(width)
          const words = (text: string): string[] => text.split(/\s+/).filter(Boolean).toSorted()
          expect(words(lines.slice(1).join(' '))).toEqual(words(all.flat().join(' ')))
        },
      ),
    )
  })
})

describe('plots', () => {
  const plot = {
    title: 'Messages by role',
    bars: [
      { label: 'user', value: 100, text: '100' },
      { label: 'tool <b>"\u001B[2J', value: 25, text: '25' },
      { label: 'system', value: 0, text: '0' },
    ],
  }

  it('[words-20] have bars in proportion, within the width of the terminal', () => {
    const [title, user = '', tool = '', system = ''] = plotLines(plot, 60)
    const blocks = (line: string): number => [...line].filter((character) => character === '█').length
    expect(title).toBe('Messages by role')
    expect(Math.abs(blocks(user) - 4 * blocks(tool))).toBeLessThan(4)
    expect(blocks(system)).toBe(0)
    expect(Math.max(user.length, tool.length)).toBeLessThanOrEqual(60)
    expect(tool).not.toContain('\u001B')
    expect(plotLines({ title: 'none', bars: [] }, 40)).toEqual(['none'])
  })

  it('[words-20] are pictures that hold text as text', () => {
    const svg = plotSvg(plot)
    expect(svg).toContain('tool &lt;b&gt;&quot;')
    expect(svg).not.toMatch(/<b>|\u001B|<script/)
    expect(svg.match(/<rect /g)).toHaveLength(3)
  })

  /** A memory with one conversation of four messages. */
  async function small(): Promise<string> {
    const file = join(folder(), 'plots.db')
    const memory = await openMemory(file, { learn: false })
    const chat = memory.scope('acme/ada').session('s')
    for (let n = 0; n < 4; n++) await chat.append({ role: n % 2 === 0 ? 'user' : 'assistant', content: `message ${n}` })
    await memory.close()
    return file
  }

  it.each([
    ['Messages by scope', ['stats']],
    ['Messages by session', ['stats', '--scope', 'acme/ada']],
    ['Messages by role', ['stats', 's']],
    ['What the input of all calls costs', ['cache', 's', '--policy', 'recency']],
    ['of 4,000 tokens', ['context', 's', '--budget', '4000']],
    ['How long half of the operations take at most', ['bench', '--messages', '10']],
  ] as const)('[words-20] "%s" is written by --svg, and drawn on a terminal only', async (title, words) => {
    const of = words[0] === 'bench' ? words : [...words, '--memory', await small()]
    const svg = join(place, 'plot.svg')
    const { status, stdout } = await daybook([...of, '--svg', svg])
    expect(status).toBe(0)
    expect(stdout).not.toContain('█')
    expect(readFileSync(svg, 'utf8')).toContain(title)
    let screen = ''
    const sink = new PassThrough().on('data', (chunk: Buffer) => (screen += chunk.toString()))
    const terminal = Object.assign(sink, { isTTY: true, columns: 80 })
    await runCommandLine({ ...shellForHelp, stdout: terminal, env: { NO_COLOR: '1', PAGER: '' } }, of, '0')
    expect(screen).toContain(title)
    expect(screen.slice(screen.lastIndexOf(title))).toMatch(/[█▉▊▋▌▍▎▏]/)
  })

  it('[words-27] have no bars and no rows for what is not there', async () => {
    const { stdout } = await daybook(['stats', 's', '--memory', await small()])
    expect(stdout).toMatch(/^ {2}user +2$/m)
    expect(stdout).not.toMatch(/ 0$/m)
  })

  it('[words-13] [words-20] say which folder for a picture is missing', async () => {
    const file = await small()
    const missing = await daybook(['stats', '--memory', file, '--svg', join(place, 'no/such/folder/plot.svg')])
    expect(missing.status).not.toBe(0)
    expect(missing.stderr).toContain(`the folder "${join(place, 'no/such/folder')}" does not exist`)
  })
})
