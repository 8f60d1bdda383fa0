import { openDocuments } from '../../../src/documents/open-documents.ts'
import { MemoryError } from '../../../src/domain/error.ts'
import { tell, waitForGo } from '../harness/parent.ts'

const [directory = '', session = ''] = process.argv.slice(2)
const documents = openDocuments(directory, { lockTimeoutMs: 60_000 })

/** Adds to a document for as long as it is told to, and says so only when it is saved. */
const { saves } = waitForGo() as { readonly saves: number }
for (let saved = 0; saved < saves;) {
  const document = await documents.load(session)
  const next = (document.version ?? 0) + 1
  try {
    await documents.save({ ...document, facts: [`version ${next}`], long_term_summary: 'x'.repeat(100_000) })
    tell({ version: next })
    saved++
  } catch (error) {
    // Another was faster: load, then retry.
    if (!MemoryError.is(error, 'documents/conflict')) throw error
  }
}
