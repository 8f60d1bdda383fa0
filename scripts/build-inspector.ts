// Builds the inspector from src/inspector: node scripts/bootstrap.cjs scripts/build-inspector.ts
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { pagePackages } from './page-packages.ts'
import { ROOT } from './run.ts'

const SOURCES = join(ROOT, 'src/inspector')
const BUILT = join(ROOT, 'dist/inspector')
/** The hash of the sources that were built last. */
const STAMP = 'sources.txt'

export interface BuildOptions {
  /** Where to. @default dist/inspector */
  readonly folder?: string
  /** Also when it was built from these sources before. @default false */
  readonly force?: boolean
}

/** Builds the page, unless what is there was built from the same sources. Returns whether it built. */
export async function buildInspector({ folder = BUILT, force = false }: BuildOptions = {}): Promise<boolean> {
  const stamp = join(folder, STAMP)
  const sources = hashOfSources()
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return false
  // Loaded when there is something to build: it takes longer than the rest of `npm start`.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: SOURCES,
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // The server writes a new nonce here for each request.
    html: { cspNonce: 'DAYBOOK_NONCE' },
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      sourcemap: true,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      modulePreload: false,
      reportCompressedSize: false,
    },
    plugins: [{ name: 'known-packages', moduleParsed: ({ id }) => checkPackage(id) }],
  })
  compress(join(folder, 'assets'))
  writeFileSync(stamp, sources)
  return true
}

/** What is built in is named in the SBOM and its licence is shipped, so nothing may slip in. */
function checkPackage(id: string): void {
  const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
  if (name !== undefined && !pagePackages.includes(name))
    throw new Error(`Cannot build ${name} into the inspector: expected one of ${pagePackages.join(', ')}`)
}

/** Once here, so that the server never compresses. */
function compress(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = globSync('**/*.*', { cwd: SOURCES }).toSorted()
  for (const file of [
    ...files.map((name) => join(SOURCES, name)),
    join(ROOT, 'package-lock.json'),
    import.meta.filename,
  ])
    hash.update(readFileSync(file))
  return hash.digest('hex')
}
