import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { times } from '../tier.ts'
import type { Project } from './project.ts'

const PROGRAMS = join(import.meta.dirname, 'programs')

/**
 * Kills a program that calls an adapter, again and again, each time after some call has returned and the next is under way. It goes on
 * with the call that had not returned. In the end everything is stored, and once.
 */
export async function killAndResume(project: Project, adapter: string): Promise<void> {
  project.write('killed.mjs', readFileSync(join(PROGRAMS, 'killed.mjs'), 'utf8'))
  project.write('calls.mjs', readFileSync(join(PROGRAMS, `calls/${adapter}.mjs`), 'utf8'))
  const kills = times({ daily: 4, nightly: 60 })
  const calls = 6 * kills
  const file = `killed-${randomUUID()}.db`
  let done = 0
  let killed = 0
  while (done < calls) {
    // The last run is left alone.
    const returned = killed < kills ? 1 + ((killed * 7) % 5) : calls
    const before = done
    done = await runUntil(project, [file, String(done), String(calls)], before + returned)
    expect(done, `${adapter} made no progress`).toBeGreaterThan(before)
    killed += 1
  }
  const checked = await project.run(process.execPath, ['killed.mjs', file, 'check', String(calls)])
  expect(checked.code, checked.output).toBe(0)
  console.log(`${adapter}: ${calls} calls over ${killed - 1} kills, nothing lost and nothing stored twice`)
}

/** Runs the program until so many calls have returned, then kills it. Returns the number of calls that have returned. */
async function runUntil(project: Project, words: readonly string[], until: number): Promise<number> {
  const child = spawn(process.execPath, ['killed.mjs', ...words], { cwd: project.folder })
  let [printed, errors] = ['', '']
  const done = (): number => Number(printed.trimEnd().split('\n').at(-1) || Number(words[1]) - 1) + 1
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
    if (done() >= until) child.kill('SIGKILL')
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(code === 0 || signal === 'SIGKILL', errors).toBe(true)
  return done()
}
