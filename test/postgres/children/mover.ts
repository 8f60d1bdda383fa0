// Moves a memory, and is killed in the middle by its own hand: after so many records.
import type { SideOptions } from '../../../src/api/archive.ts'
import { moveMemory } from '../../../src/archive/move.ts'
import { tell, waitForGo } from '../../fault/harness/parent.ts'

export interface MoveTask {
  readonly from: string
  readonly to: string
  readonly sides: { readonly from?: SideOptions; readonly to?: SideOptions }
  readonly killAt: { readonly stage: 'copy' | 'check'; readonly records: number }
}

const { from, to, sides, killAt } = waitForGo() as MoveTask
const moved = await moveMemory(from, to, {
  ...sides,
  onProgress: ({ stage, records }) => {
    if (stage === killAt.stage && records >= killAt.records) process.kill(process.pid, 'SIGKILL')
  },
})
tell(moved)
