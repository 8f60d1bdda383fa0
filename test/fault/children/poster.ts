// Indexes what is in a file until it is done or killed, and says so after each change of the index.
import { openMemoryWith } from '../../../src/memory/open-memory-with.ts'
import type { Store } from '../../../src/ports/store.ts'
import { openSqliteStore } from '../../../src/stores/sqlite/store.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [file = ''] = process.argv.slice(2)
waitForGo()
const store = await openSqliteStore(file, Date.now)
const change: Store['recall']['change'] = async (wanted) => {
  const written = await store.recall.change(wanted)
  tell({ postings: wanted.threads.flatMap(({ add }) => add).reduce((sum, { terms }) => sum + terms.length, 0) })
  return written
}
const memory = await openMemoryWith({ ...store, recall: { ...store.recall, change } }, { learn: false })
await memory.settled()
await memory.close()
tell({ done: true })
