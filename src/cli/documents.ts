import { readFile, stat } from 'node:fs/promises'
import { type ContextDocument, type ImportedDocument, importDocument, openDocuments } from '../documents/index.ts'
import { MemoryError } from '../domain/error.ts'
import type { Scope } from '../memory/scope.ts'
import type { Answer } from './answer.ts'
import { CommandError } from './exit-status.ts'
import { counted } from './render/layout.ts'
import { oneLine } from './visible.ts'

const SESSIONS_PER_PAGE = 100

type Outcome = 'written' | 'unchanged' | 'changed-outside'

/** A file for each session of a scope. What somebody changed there since is written over only if that was said. */
export async function exportDocuments(scope: Scope, directory: string, force: boolean): Promise<Answer> {
  const documents = openDocuments(directory)
  await documents.initialize()
  const known = new Set(await documents.list())
  const done: { readonly session: string; readonly outcome: Outcome }[] = []
  for await (const id of sessionIds(scope)) {
    const document = await scope.session(id).document()
    const there = await documents.load(id)
    const isThere = known.has(id)
    const outcome: Outcome =
      isThere && saysSame(there, document) ? 'unchanged' : isThere && !force ? 'changed-outside' : 'written'
    if (outcome === 'written')
      await documents.save({ ...document, ...(there.version === undefined ? {} : { version: there.version }) })
    done.push({ session: id, outcome })
  }
  const many = (outcome: Outcome): number => done.filter((one) => one.outcome === outcome).length
  const other = done.filter(({ outcome }) => outcome === 'changed-outside')
  return {
    value: { scope: scope.name, directory: documents.directory, documents: done },
    exit: other.length === 0 ? 'ok' : 'conflict',
    text: () =>
      [
        ...other.map(
          ({ session }) => `${oneLine(session)}: its file says something else, expected --force to write over it`,
        ),
        `${counted(many('written'), 'document')} written, ${many('unchanged')} as they were: ${oneLine(documents.directory)}`,
      ].join('\n'),
  }
}

/** A directory of documents, or one: its history as messages of this memory, the rest as the session's state. */
export async function importDocuments(scope: Scope, path: string, session: string | undefined): Promise<Answer> {
  const done: ImportedDocument[] = []
  const failed: { readonly session: string; readonly message: string }[] = []
  for await (const { name, load } of documentsAt(path)) {
    try {
      done.push(await importDocument(scope, await load(), session === undefined ? {} : { session }))
    } catch (error) {
      // One that is damaged, or in the way of what is here, is no reason to leave the others out.
      if (!MemoryError.is(error)) throw error
      failed.push({ session: name, message: error.message })
    }
  }
  const added = done.reduce((sum, one) => sum + one.added, 0)
  return {
    value: { scope: scope.name, documents: done, failed },
    exit: failed.length === 0 ? 'ok' : 'failed',
    text: () =>
      [
        ...failed.map(({ session: name, message }) => `${oneLine(name)}: ${oneLine(message)}`),
        `${counted(done.length, 'document')} brought in, ${counted(added, 'new message')}${failed.length === 0 ? '' : `; left out: ${failed.length}`}`,
      ].join('\n'),
  }
}

interface Found {
  readonly name: string
  readonly load: () => Promise<unknown>
}

async function* documentsAt(path: string): AsyncGenerator<Found, undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || !(found.isFile() || found.isDirectory()))
    throw new CommandError(
      'notFound',
      `Cannot import documents from ${JSON.stringify(path)}: expected a directory or a file`,
    )
  if (found.isFile()) {
    yield { name: path, load: async () => parsed(path, await readFile(path, 'utf8')) }
    return
  }
  const documents = openDocuments(path)
  const sessions = await documents.list()
  if (sessions.length === 0)
    throw new CommandError('notFound', `Cannot import documents from ${JSON.stringify(path)}: found none in it`)
  for (const session of sessions) yield { name: session, load: () => documents.load(session) }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new MemoryError(
      'documents/corrupt',
      `Cannot read the document ${JSON.stringify(path)}: it is no JSON`,
      { file: path },
      error,
    )
  }
}

async function* sessionIds(scope: Scope): AsyncGenerator<string, undefined> {
  for (let after: string | undefined; ;) {
    const page = await scope.sessions({ limit: SESSIONS_PER_PAGE, ...(after === undefined ? {} : { after }) })
    for (const { id } of page.sessions) yield id
    if (page.next === null) return
    after = page.next
  }
}

/** Version and time of saving are the file's own. */
function saysSame(there: ContextDocument, document: ContextDocument): boolean {
  const plain = ({ version: _version, updated_at: _at, ...rest }: ContextDocument): string => JSON.stringify(rest)
  return plain(there) === plain(JSON.parse(JSON.stringify(document)) as ContextDocument)
}
