import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { buildInspector } from '../scripts/build-inspector.ts'
import { ROOT } from '../scripts/run.ts'
import type { KeptHead } from '../src/context/kept/kept-body.ts'
import { openMemory } from '../src/memory/open-memory.ts'
import { openSqliteStore } from '../src/stores/sqlite/store.ts'
import { type Reader, openBrowser, openReader, serveMemory } from '../test/doors/inspector/harness.ts'
import type { Figure } from './measure.ts'

const SESSIONS = 10_000
const MESSAGES = 100_000
const TURNS = 5_000
const PAGE = 1_000
const SCOPE = 'bench/ada'
const GRAPH = 'bench/graph'
const NODES = 3_000

/** [inspector-18] The inspector in Chromium beside much data: how long the first view takes, and the longest task while somebody scrolls, drags the slider or moves a graph. */
export async function inspectorBenchmark(directory: string): Promise<readonly Figure[]> {
  const file = join(directory, 'inspector.db')
  await fill(file)
  await buildInspector()
  const served = await serveMemory(ROOT, [process.execPath, join(ROOT, 'src/cli/main.ts')], file)
  const browser = await openBrowser()
  try {
    await using reader = await openReader(browser, served)
    const began = performance.now()
    await reader.page.goto(`${served.url}/sessions?scope=${SCOPE}`)
    await reader.page.waitForSelector('.session-row')
    const firstView = performance.now() - began
    const dragged = await longestTask(browser, reader, ['/session?scope=bench/ada&id=turns', '.track input', drag])
    const scrolled = await longestTask(browser, reader, ['/session?scope=bench/ada&id=long', 'article', scroll])
    const graph = await longestTask(browser, reader, [`/knowledge?scope=${GRAPH}&tab=graph`, 'canvas', moveGraph])
    return [
      figure(`first view of ${SESSIONS.toLocaleString('en')} sessions`, firstView, 1_000),
      ...tasks(`dragging over ${TURNS.toLocaleString('en')} turns`, dragged),
      ...tasks(`scrolling ${MESSAGES.toLocaleString('en')} messages`, scrolled),
      ...tasks(`showing and dragging a graph of ${NODES.toLocaleString('en')} nodes`, graph),
    ]
  } finally {
    await browser.close()
    await served.stop()
  }
}

function figure(what: string, value: number, atMost: number): Figure {
  return { requirement: '[inspector-18]', what, value, unit: ' ms', goal: { atMost }, note: 'in Chromium, on loopback' }
}

/** The wall time says what somebody noticed here, the processor time what the page asked for, on however busy a machine. */
function tasks(what: string, { wall, processor }: LongestTask): readonly Figure[] {
  return [
    figure(`longest task while ${what}`, wall, 50),
    figure(`processor time of the longest task while ${what}`, processor, 50),
  ]
}

interface LongestTask {
  readonly wall: number
  readonly processor: number
}

/** An event of Chromium's trace. Times are in microseconds. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** The longest tasks of the page's main thread while somebody does something. */
async function longestTask(
  browser: Browser,
  reader: Reader,
  [path, ready, act]: readonly [path: string, ready: string, act: (page: Page) => Promise<void>],
): Promise<LongestTask> {
  const { page } = reader
  await reader.open(path)
  await page.waitForSelector(ready)
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await act(page)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const run = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      ph === 'X' && name.endsWith('RunTask') && threads.some((thread) => thread.pid === pid && thread.tid === tid),
  )
  if (run.length === 0) throw new Error('The trace has no tasks of the page')
  return {
    wall: Math.max(...run.map(({ dur = 0 }) => dur)) / 1_000,
    processor: Math.max(...run.map(({ tdur = 0 }) => tdur)) / 1_000,
  }
}

async function moveGraph(page: Page): Promise<void> {
  await page.click('text=Show all')
  await page.waitForTimeout(3_000)
  const box = await page.locator('canvas').boundingBox()
  if (box === null) throw new Error('There is no graph')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let step = 0; step < 30; step++) await page.mouse.move(x + step * 3, y + step)
  await page.mouse.up()
}

async function drag(page: Page): Promise<void> {
  const box = await page.locator('.track').boundingBox()
  if (box === null) throw new Error('There is no slider')
  await page.mouse.move(box.x + 1, box.y + 20)
  await page.mouse.down()
  for (let step = 0; step <= 100; step++) await page.mouse.move(box.x + (box.width * step) / 100, box.y + 20)
  await page.mouse.up()
}

async function scroll(page: Page): Promise<void> {
  for (let step = 0; step < 100; step++) {
    await page.mouse.wheel(0, step % 10 === 9 ? 400_000 : 1_500)
    await page.waitForTimeout(20)
  }
}

async function fill(file: string): Promise<void> {
  {
    await using memory = await openMemory(file, { learn: false })
    const scope = memory.scope(SCOPE)
    for (let at = 0; at < SESSIONS; at += PAGE)
      await Promise.all(
        Array.from({ length: PAGE }, (_, index) =>
          scope.session(`session-${at + index}`).append({ role: 'user', content: `Where is order ${at + index}?` }),
        ),
      )
    const long = scope.session('long')
    for (let at = 0; at < MESSAGES; at += PAGE)
      await long.append(
        Array.from({ length: PAGE }, (_, index) => ({ role: 'user' as const, content: `Said ${at + index + 1}` })),
      )
    for (let at = 0; at < 2 * NODES; at += PAGE)
      await memory.scope(GRAPH).remember(
        Array.from({ length: PAGE }, (_, index) => ({
          subject: `Person ${(at + index) % 2_000}`,
          predicate: `likes_${at}`,
          object: { entity: `Thing ${(at * 7 + index * 13) % PAGE}` },
        })),
      )
    await scope.session('turns').append({ role: 'user', content: 'Where is order 7731?' })
  }
  await addTurns(file)
}

/** Records as contexts leave them, without building so many contexts. */
async function addTurns(file: string): Promise<void> {
  const store = await openSqliteStore(file, Date.now)
  const now = Date.now()
  const { key = 0 } = (await store.log.session(SCOPE, 'turns')) ?? {}
  for (let at = 0; at < TURNS; at += PAGE)
    await store.keptContexts.keep(
      Array.from({ length: PAGE }, (_, index) => {
        const turn = at + index
        const total = 1_000 + (turn % 40) * 150
        const tokens = {
          total,
          budget: 8_000,
          reserve: 0,
          system: 20,
          blocks: 0,
          pinned: 0,
          folds: turn % 40,
          messages: total - 23,
        }
        const head: KeptHead = {
          version: 1,
          lastSeq: 1,
          policy: 'balanced',
          messages: 1,
          tokens: { ...tokens, recalled: 0, plan: 0, framing: 3, exact: false },
          cache: { equalTokens: total - 100, totalTokens: total, firstDifference: 1, breakpoints: [] },
          digest: '',
          missed: 0,
        }
        const body = {
          options: {},
          policy: '',
          references: [[1, 1]],
          marks: '',
          lines: [],
          receipt: { blocks: [], bytes: 0, repairs: [] },
        }
        const id = String(turn).padStart(8, '0')
        const row = { id, at: now, version: 1, borrowed: false, head: JSON.stringify(head), body: JSON.stringify(body) }
        return { scope: SCOPE, session: 'turns', key, forgettings: '', row, texts: [] }
      }),
    )
  await store.close()
}
