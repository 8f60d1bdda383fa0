import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Figure } from './measure.ts'

const CHILD = fileURLToPath(new URL('children/archive.ts', import.meta.url))
const MESSAGES = Number(process.env['DAYBOOK_BENCH_MESSAGES'] ?? 1_000_000)
const MIB = 1024 * 1024

/** [arc-2] [imp-4] A million messages out, in and out again: how fast, how much memory, and whether the bytes are the same. */
export async function archiveBenchmark(directory: string): Promise<readonly Figure[]> {
  const [from, to] = [join(directory, 'archive-from.db'), join(directory, 'archive-to.db')]
  const [first, second] = [join(directory, 'first.daybook'), join(directory, 'second.daybook')]
  run('fill', from, first)
  const exported = run('export', from, first)
  const imported = run('import', to, first)
  run('export', to, second)
  const same = (await sha256(first)) === (await sha256(second))
  const { size } = statSync(first)
  for (const file of [from, to, first, second]) rmSync(file, { force: true })
  return [
    figure('export', exported, size),
    figure('import, with the check before it', imported, size),
    {
      requirement: '[arc-2] [imp-4]',
      what: 'export, import, export: equal to the byte',
      value: same ? 1 : 0,
      unit: '',
      goal: { atLeast: 1 },
      note: `${Math.round(size / MIB)} MiB`,
    },
  ]
}

interface Ran {
  readonly ms: number
  readonly grewBytes: number
}

function run(step: string, file: string, archive: string): Ran {
  const said = execFileSync(process.execPath, [CHILD, step, file, archive, String(MESSAGES)], { encoding: 'utf8' })
  return JSON.parse(said) as Ran
}

function figure(what: string, { ms, grewBytes }: Ran, size: number): Figure {
  return {
    requirement: '[arc-2] [imp-4]',
    what: `memory that ${what} of ${MESSAGES} messages took`,
    value: grewBytes / MIB,
    unit: ' MiB',
    goal: { atMost: 256 },
    note: `${(ms / 1_000).toFixed(1)} s, ${Math.round((MESSAGES / ms) * 1_000)} messages/s, ${Math.round(size / MIB)} MiB of archive`,
  }
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(file) as AsyncIterable<Uint8Array>) hash.update(piece)
  return hash.digest('hex')
}
