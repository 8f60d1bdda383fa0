import { randomBytes } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Context as HonoContext } from 'hono'
import { MemoryError } from '../domain/error.ts'
import { PLAIN_PAGE } from './plain-page.ts'

/** Where `scripts/build-inspector.ts` writes the page: beside the sources, and in the package. */
const BUILT = new URL(import.meta.url.endsWith('.ts') ? '../../dist/inspector/' : '../inspector/', import.meta.url)
/** The build writes this where a nonce belongs. */
const NONCE = 'DAYBOOK_NONCE'
const YEAR_S = 31_536_000

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
}

/** The encodings that files are stored in, the smallest first. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Serves the inspector. Everything it loads is a file of the build, under a name that has the hash of its content. */
export class InspectorPage {
  #assets: Promise<ReadonlySet<string>> | undefined
  readonly #frameAncestors: string

  /** @param frameAncestors Origins that may show the page in a frame. */
  constructor(frameAncestors: readonly string[] = []) {
    this.#frameAncestors = frameAncestors.length === 0 ? "'none'" : frameAncestors.join(' ')
  }

  /** The page itself. It is the same for every view: the address says which one to show. */
  async answer(context: HonoContext, { framed = false }: { readonly framed?: boolean } = {}): Promise<Response> {
    // Read each time, so that a server in development shows the last build. It is not there where somebody put the server into a
    // bundle of their own.
    const page = await readFile(new URL('index.html', BUILT), 'utf8').catch(() => undefined)
    const nonce = randomBytes(16).toString('base64')
    return context.html(page?.replaceAll(NONCE, nonce) ?? PLAIN_PAGE, 200, {
      'content-security-policy':
        page === undefined ? PLAIN_POLICY : policy(nonce, framed ? this.#frameAncestors : "'none'"),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    })
  }

  /** One file that the page loads. @throws {MemoryError} `access/not-found` */
  async asset(context: HonoContext): Promise<Response> {
    const name = context.req.param('name') ?? ''
    this.#assets ??= readdir(new URL('assets/', BUILT)).then(
      (names) => new Set(names),
      () => new Set(),
    )
    const known = await this.#assets
    // A build may have replaced the files since.
    if (!known.has(name)) this.#assets = undefined
    const type = types[extname(name)]
    if (!known.has(name) || type === undefined)
      throw new MemoryError('access/not-found', 'Cannot find this address: the server has no such route')
    const accepted = context.req.header('accept-encoding') ?? ''
    const [encoding, suffix] = encodings.find(([word, end]) => accepted.includes(word) && known.has(name + end)) ?? [
      '',
      '',
    ]
    const bytes = await readFile(new URL(`assets/${name}${suffix}`, BUILT))
    return new Response(bytes, {
      headers: {
        'content-type': type,
        'cache-control': `public, max-age=${YEAR_S}, immutable`,
        vary: 'accept-encoding',
        ...(encoding === '' ? {} : { 'content-encoding': encoding }),
      },
    })
  }
}

/** Scripts of the build only, nothing from elsewhere, and no string ever becomes a script. */
function policy(nonce: string, frameAncestors: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "require-trusted-types-for 'script'",
    // The only policy: it allows the address of the worker that lays out graphs.
    'trusted-types daybook-worker',
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${frameAncestors}`,
  ].join('; ')
}

const PLAIN_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
