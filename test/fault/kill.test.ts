import { setTimeout } from 'node:timers/promises'

import { beforeAll, describe, expect, it } from 'vitest'

import { openMemory } from '../../src/memory/open-memory.ts'
import { times } from '../tier.ts'
import { Child, warm } from './harness/child.ts'
import { figures, percentile } from './harness/figures.ts'
import { Folder } from './harness/folder.ts'
import { type Ack, Ledger, type LedgerReport } from './harness/ledger.ts'
import type { Random } from './harness/random.ts'
import { seeded } from './harness/seeded.ts'

const WRITER = new URL('children/restless-writer.ts', import.meta.url)
/** The driver is loaded at open: on a busy machine, a child that lived for less would have acknowledged nothing. */
const LIFE_MS_MAX = 400
const kills = times({ daily: 200, nightly: 5_000 })
const killsBetweenChecks = kills / 10
const timeout = times({ daily: 8, nightly: 60 }) * 60_000

type Line =
  | Ack
  | { readonly kind: 'opened'; readonly ms: number }
  | { readonly kind: 'done'; readonly name: string; readonly number: number }

/** Kills writers on one file, one after the other, and keeps what they acknowledged. */
class Killing {
  readonly ledger = new Ledger()
  readonly opened: number[] = []
  readonly stderr: string[] = []
  readonly #next: Record<string, number> = {}
  readonly #file: string
  readonly #random: Random
  readonly #early: boolean

  constructor(file: string, random: Random, early: boolean = false) {
    this.#file = file
    this.#random = random
    this.#early = early
  }

  /** The next writer loads while the last one runs: most of a child's life would be loading otherwise. */
  async kill(count: number): Promise<void> {
    let waiting = new Child(WRITER, [this.#file])
    for (let kill = 0; kill < count; kill++) {
      const child = waiting
      if (kill + 1 < count) waiting = new Child(WRITER, [this.#file])
      child.onLine((line) => this.#take(line as Line))
      await child.go({ next: this.#next, early: this.#early })
      await setTimeout(this.#random.next() * LIFE_MS_MAX)
      await child.kill()
      if (child.errors !== '') this.stderr.push(child.errors)
    }
  }

  async check(): Promise<LedgerReport> {
    await using memory = await openMemory(this.#file)
    return await this.ledger.check(memory, 'acme/ada')
  }

  #take(line: Line): void {
    if (line.kind === 'opened') this.opened.push(line.ms)
    else if (line.kind === 'done') this.#next[line.name] = line.number + 1
    else this.ledger.add(line)
  }
}

describe('kill -9', () => {
  beforeAll(() => warm(WRITER))

  it('[show-3] loses nothing that was acknowledged, and doubles nothing that was retried', { timeout }, async () => {
    using folder = new Folder()
    const killing = new Killing(folder.file('log.db'), seeded())
    let report: LedgerReport | undefined
    for (let done = 0; done < kills; done += killsBetweenChecks) {
      await killing.kill(Math.min(killsBetweenChecks, kills - done))
      report = await killing.check()
      expect({ lost: report.lost, wrong: report.wrong, stderr: killing.stderr }).toEqual({
        lost: [],
        wrong: [],
        stderr: [],
      })
    }
    figures('kill -9', {
      kills,
      acks: killing.ledger.size,
      messages: report?.messages ?? 0,
      lost: report?.lost.length ?? 0,
      'recovery p50 ms': percentile(killing.opened, 0.5),
      'recovery p99 ms': percentile(killing.opened, 0.99),
    })
    expect(killing.ledger.size).toBeGreaterThan(0)
  })

  it('[show-3] is noticed by this test when a writer acknowledges too early', async () => {
    let lost = 0
    // A kill falls between acknowledgement and write by chance.
    for (let round = 0; round < 10 && lost === 0; round++) {
      using folder = new Folder()
      const killing = new Killing(folder.file('log.db'), seeded(), true)
      await killing.kill(15)
      lost = (await killing.check()).lost.length
    }
    expect(lost).toBeGreaterThan(0)
  })
})
