// Builds and packs the package as it would be published, and checks the tarball: exports, files, types and weight.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, runTool } from './run.ts'
import type { Outcome } from './run.ts'
import { MEGABYTES_MAX, PACKAGES_MAX, weigh } from './weight.ts'

const folder = await mkdtemp(join(tmpdir(), 'daybook-pack-'))
try {
  // `npm pack` builds first: see `prepack` in package.json.
  must('npm pack', await run('npm', ['pack', '--pack-destination', folder]))
  const [tarball = 'no tarball'] = await readdir(folder)
  const file = join(folder, tarball)
  must('publint', await runTool('publint', ['run', file, '--strict']))
  must('attw', await runTool('attw', [file, '--profile', 'esm-only', '--no-emoji']))
  must('tar', await run('tar', ['-xzf', file, '-C', folder]))
  const { megabytes, packages } = weigh(join(folder, 'package'))
  console.log(`installed: ${megabytes.toFixed(1)} MB in ${packages} packages`)
  if (megabytes > MEGABYTES_MAX || packages > PACKAGES_MAX) {
    console.error(`Expected at most ${MEGABYTES_MAX} MB in ${PACKAGES_MAX} packages`)
    process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true })
}

function must(name: string, { code, output }: Outcome): void {
  if (code === 0) return
  console.error(output)
  console.error(`${name} exited with ${code}, expected 0`)
  process.exitCode = 1
}
