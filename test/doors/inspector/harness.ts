import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core'
import { ROOT } from '../../../scripts/run.ts'
import { freePort } from '../../postgres/server.ts'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Where the pictures that a person looks at are kept. */
const PICTURES = join(ROOT, 'scratch/inspector')

/** A Chromium that is installed here: `CHROMIUM_PATH`, or `chromium` on the path. */
export const chromiumPath: string | undefined = [
  process.env['CHROMIUM_PATH'],
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name))),
].find((file) => file !== undefined && existsSync(file))

export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No Chromium: set CHROMIUM_PATH, or install chromium')
  return chromium.launch({ executablePath: chromiumPath, args: [...FLAGS, ...flags] })
}

/** A server of the packed package, as its user starts it. */
export interface Served {
  readonly url: string
  readonly link: string
  readonly token: string
  /** Sends JSON with the admin key. @throws if the server refuses it. */
  send(path: string, body: unknown, method?: string): Promise<unknown>
  read<Answer>(path: string): Promise<Answer>
  stop(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
}

/** Serves a memory in `folder`, from the package that is installed there or from the sources. */
export async function serveMemory(
  folder: string,
  command: readonly string[],
  memory: string,
  more: readonly string[] = [],
): Promise<Served> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // A file has its key beside it; a database has no such place.
  const keeping = memory.startsWith('postgres')
    ? ['--key-file', join(mkdtempSync(join(tmpdir(), 'daybook-inspector-')), 'key')]
    : ['--create']
  let child: ChildProcess | undefined
  let link = ''
  const start = async (): Promise<void> => {
    const args = ['serve', '--memory', memory, '--port', String(port), '--show-link', '--quiet', ...keeping, ...more]
    const [program = '', ...words] = command
    const started = spawn(program, [...words, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let output = ''
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text))
    while (!output.includes('#key=')) {
      if (started.exitCode !== null) throw new Error(output)
      await setTimeout(50)
    }
    link = /http:\S+#key=\S+/.exec(output)?.[0] ?? ''
  }
  await start()
  const token = link.replace(/^.*#key=/, '')
  return {
    url,
    link,
    token,
    async send(path, body, method = 'POST') {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
      if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
      return response.json()
    },
    async read<Answer>(path: string) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } })
      return (await response.json()) as Answer
    },
    async stop() {
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGTERM')
      await ended
    },
    start,
  }
}

/** A reader with a browser of their own, signed in with the link. */
export interface Reader extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What went wrong so far: errors, broken policies, requests to elsewhere, dialogs. */
  readonly faults: readonly string[]
  open(path: string): Promise<void>
  picture(name: string): Promise<void>
}

export interface ReaderOptions {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
}

export async function openReader(
  browser: Browser,
  { url, link }: Pick<Served, 'url' | 'link'>,
  { width = 1_440, theme = 'light' }: ReaderOptions = {},
): Promise<Reader> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`))
  page.on('console', (line) => line.type() === 'error' && faults.push(`console: ${line.text()}`))
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) faults.push(`request: ${request.url()}`)
  })
  await page.goto(link)
  await settled(page)
  return {
    page,
    context,
    faults,
    async open(path) {
      await page.goto(url + path)
      await settled(page)
    },
    async picture(name) {
      mkdirSync(PICTURES, { recursive: true })
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}-${width}.png`) })
    },
    async [Symbol.asyncDispose]() {
      await context.close()
    },
  }
}

/** Waits until a view is drawn and nothing in it is being loaded. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('h1')
  await page.waitForSelector('[aria-busy], .bone', { state: 'detached' })
}
