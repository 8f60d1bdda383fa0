// Draws the pictures of the docs: `node scripts/bootstrap.cjs scripts/pictures.ts`. They are text and small, and read in both themes.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from './run.ts'

type Shade = 'plain' | 'strong' | 'faint'

function box(
  [x, y, width, height]: readonly [number, number, number, number],
  text: string,
  shade: Shade = 'plain',
): string {
  const lines = text.split('\n')
  const top = y + height / 2 - (lines.length - 1) * 9 + 5
  const words = lines.map((line, index) => `<text x="${x + width / 2}" y="${top + index * 18}">${line}</text>`).join('')
  return `<rect class="${shade}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${words}`
}

function arrow(from: readonly [number, number], to: readonly [number, number], label = ''): string {
  const line = `<path class="arrow" d="M${from[0]} ${from[1]} L${to[0]} ${to[1]}" marker-end="url(#head)"/>`
  return label === ''
    ? line
    : `${line}<text class="label" x="${(from[0] + to[0]) / 2}" y="${(from[1] + to[1]) / 2 - 8}">${label}</text>`
}

function picture(width: number, height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="${title}">
<title>${title}</title>
<style>
text { font: 14px system-ui, sans-serif; text-anchor: middle; fill: #1f2328 }
.label { font-size: 12px; fill: #59636e }
rect { fill: #f6f8fa; stroke: #59636e }
.strong { fill: #ddf4ff; stroke: #0969da }
.faint { fill: none; stroke-dasharray: 4 3 }
.arrow { stroke: #59636e; fill: none }
#head path { fill: #59636e }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .label { fill: #9198a1 } rect { fill: #21262d; stroke: #9198a1 } .strong { fill: #0c2d6b; stroke: #58a6ff }
.faint { fill: none } .arrow { stroke: #9198a1 } #head path { fill: #9198a1 }
}
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>
${parts.join('\n')}
</svg>
`
}

interface Measured {
  readonly budget: number
  readonly policies: Readonly<Record<string, { readonly tokens: readonly number[] }>>
}

/** The tokens of each request, a line for each policy, as `scripts/policy-tokens.ts` measured them. */
function tokensOverTurns(): string {
  const file = join(ROOT, 'scripts/policy-tokens.json')
  const { budget, policies } = JSON.parse(readFileSync(file, 'utf8')) as Measured
  const [left, top, width, height] = [70, 50, 540, 240]
  const x = (turn: number, turns: number): number => Math.round(left + (turn / (turns - 1)) * width)
  const y = (tokens: number): number => Math.round(top + height - (tokens / budget) * height)
  const marks = [0, budget / 2, budget].map(
    (tokens) =>
      `<path class="faint arrow" d="M${left} ${y(tokens)} H${left + width}"/><text class="label" x="${left - 32}" y="${y(tokens) + 4}">${tokens.toLocaleString('en')}</text>`,
  )
  // Where a policy never folds within this budget, its line is that of `recency`.
  const drawn = ['recency', 'rolling', 'managed', 'balanced'] as const
  const lines = drawn.map((name, index) => {
    const tokens = policies[name]?.tokens ?? []
    const points = tokens.map((value, turn) => `${x(turn, tokens.length)} ${y(value)}`).join(' L')
    const at = left + 60 + index * 140
    return `<path class="line line-${name}" d="M${points}"/><path class="line line-${name}" d="M${at - 34} 25 h24"/><text x="${at + 28}" y="30">${name}</text>`
  })
  return picture(640, 340, `Tokens of each request over 60 turns, with a budget of ${budget.toLocaleString('en')}`, [
    '<style>.line { fill: none; stroke-width: 2 } .line-recency { stroke: #9a6700 } .line-rolling { stroke: #8250df } .line-managed { stroke: #1a7f37 } .line-balanced { stroke: #0969da; stroke-width: 3 } @media (prefers-color-scheme: dark) { .line-recency { stroke: #d29922 } .line-rolling { stroke: #bc8cff } .line-managed { stroke: #3fb950 } .line-balanced { stroke: #58a6ff } }</style>',
    ...marks,
    ...lines,
    `<text class="label" x="${left}" y="${top + height + 22}">turn 1</text>`,
    `<text class="label" x="${left + width - 10}" y="${top + height + 22}">turn 60</text>`,
  ])
}

/** Every picture by its name. */
export const pictures: Readonly<Record<string, string>> = {
  policies: tokensOverTurns(),
  log: picture(670, 230, 'Everything is computed from the log', [
    box([10, 85, 110, 50], 'append'),
    arrow([120, 110], [178, 110], 'on disk'),
    box([180, 75, 170, 70], 'the log\nevery message, once', 'strong'),
    ...(
      ['context: what a model sees', 'facts, with sources', 'search index for recall', 'archive, backup'] as const
    ).flatMap((text, index) => [
      arrow([350, 110], [438, 35 + index * 53], ''),
      box([440, 15 + index * 53, 220, 40], text),
    ]),
  ]),
  scopes: picture(560, 210, 'A scope inherits facts from above and does not see its neighbours', [
    box([200, 10, 160, 50], 'acme\nfacts of the team', 'strong'),
    box([20, 130, 210, 60], 'acme/ada\nsessions and facts of Ada'),
    box([330, 130, 210, 60], 'acme/bob\nsessions and facts of Bob'),
    arrow([250, 60], [160, 128], ''),
    arrow([310, 60], [400, 128], ''),
    '<text class="label" x="280" y="100">facts are inherited</text>',
    '<text class="label" x="280" y="165">no access</text>',
  ]),
  window: picture(640, 220, 'A fold takes the place of old messages in the window', [
    '<text class="label" x="45" y="50">log</text>',
    '<text class="label" x="45" y="170">window</text>',
    ...Array.from({ length: 8 }, (_, index) =>
      box([90 + index * 66, 25, 56, 40], String(index + 1), index < 5 ? 'faint' : 'plain'),
    ),
    box([90, 145, 320, 40], 'fold: a summary of 1 to 5', 'strong'),
    ...Array.from({ length: 3 }, (_, index) => box([420 + index * 66, 145, 56, 40], String(index + 6))),
    arrow([250, 145], [250, 70], ''),
    '<text class="label" x="322" y="112">reopen, undo</text>',
    ...Array.from({ length: 3 }, (_, index) => arrow([448 + index * 66, 65], [448 + index * 66, 143])),
  ]),
}

if (import.meta.main)
  for (const [name, svg] of Object.entries(pictures)) writeFileSync(join(ROOT, 'docs/pictures', `${name}.svg`), svg)
