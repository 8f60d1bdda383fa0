import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const sources = [
  // The project's shared tool where the repository has it beside it, else our own: same variables, same journal.
  new URL('../../../../shared/tools/powercut.c', import.meta.url),
  new URL('../disk-shim.c', import.meta.url),
].map((url) => fileURLToPath(url))

/** A library that stands between a child and its disk; `undefined`, with the reason, where there is no C compiler. */
export type Shim = { readonly library: string } | { readonly library: undefined; readonly reason: string }

export const OWN_SOURCE: string = sources[1] ?? ''

/** Built once for each text of its source, and kept beside other temporary files. */
export function buildShim(source: string = sources.find((file) => existsSync(file)) ?? OWN_SOURCE): Shim {
  if (process.platform !== 'linux')
    return { library: undefined, reason: 'the shim is preloaded by the loader of Linux' }
  const library = join(tmpdir(), `daybook-shim-${hash('sha256', readFileSync(source)).slice(0, 16)}.so`)
  if (existsSync(library)) return { library }
  try {
    const unfinished = `${library}-${process.pid}`
    execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', unfinished, source, '-ldl', '-lpthread'], { stdio: 'pipe' })
    renameSync(unfinished, library)
    return { library }
  } catch (error) {
    return {
      library: undefined,
      reason: `gcc cannot build it (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    }
  }
}

export interface ShimTask {
  /** Files whose path contains this are watched. */
  readonly match: string
  readonly journal?: string
  readonly fail?: { readonly at: number; readonly errno: 5 | 28; readonly sticky: boolean; readonly kinds?: number }
}

/** What a child's environment must have for the shim to work in it. */
export function shimEnvironment(library: string, { match, journal, fail }: ShimTask): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    PL_MATCH: match,
    ...(journal === undefined ? {} : { PL_LOG: journal }),
    ...(fail === undefined ? {} : { PL_FAIL_AT: String(fail.at), PL_FAIL_ERRNO: String(fail.errno) }),
    ...(fail?.sticky === true ? { PL_FAIL_STICKY: '1' } : {}),
    ...(fail?.kinds === undefined ? {} : { PL_FAIL_KIND: String(fail.kinds) }),
  }
}
