import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { MemoryEvent } from '../../src/api/events.ts'
import { openMemory } from '../../src/memory/open-memory.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-mode-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.skipIf(process.platform === 'win32')(
  '[walls-207] a file that others may read is reported, and tightened on request',
  async () => {
    const file = join(folder, 'agent.db')
    const events: MemoryEvent[] = []
    const onEvent = (event: MemoryEvent): void => void events.push(event)
    await (await openMemory(file, { onEvent })).close()
    expect(events).toEqual([])
    chmodSync(file, 0o644)
    await (await openMemory(file, { onEvent })).close()
    expect(events).toMatchObject([{ type: 'store-warning', danger: 'file-mode' }])
    expect(statSync(file).mode & 0o777).toBe(0o644)
    await (await openMemory(file, { tightenMode: true })).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  },
)
