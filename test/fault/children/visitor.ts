// Opens a file as whoever it runs as, tries to append to it and to read it, and tells which errors it got.
import { MemoryError } from '../../../src/domain/error.ts'
import { openMemory } from '../../../src/memory/open-memory.ts'
import { tell, waitForGo } from '../harness/parent.ts'

export interface Visit {
  readonly opened: string
  readonly appended: string
  readonly read: string
}

const [file = ''] = process.argv.slice(2)
waitForGo()

const visit = { opened: 'never', appended: 'never', read: 'never' }
try {
  await using memory = await openMemory(file)
  visit.opened = 'ok'
  const session = memory.scope('acme/ada').session('one')
  visit.appended = await session.append({ role: 'user', content: 'visited' }).then(() => 'ok', codeOf)
  visit.read = await session.history().then(() => 'ok', codeOf)
} catch (error) {
  visit.opened = codeOf(error)
}
tell(visit)

function codeOf(error: unknown): string {
  return MemoryError.is(error) ? error.code : `raw ${String(error)}`
}
