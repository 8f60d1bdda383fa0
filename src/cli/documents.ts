import { defined } from '../domain/defined.ts'
import { readFile, stat } from 'node:fs/promises'
import {
  type ContextDocument,
  type Documents,
  type ImportedDocument,
  importDocument,
  openDocuments,
  parseDocument,
} from '../documents/index.ts'
import { contentOf, exportHash, isUnedited } from '../documents/unedited.ts'
import { MemoryError } from '../domain/error.ts'
import type { Scope } from '../api/scope.ts'
import type { CommandResult } from './command-result.ts'
import { CommandError } from './exit-status.ts'
import { counted } from './render/layout.ts'
import { terminalLine } from './visible.ts'

const SESSIONS_PER_PAGE = 100

type Outcome = 'written' | 'unchanged' | 'changed-outside' | 'damaged'

interface Done {
  readonly session: string
  readonly outcome: Outcome
  /** What is in the way. */
  readonly message?: string
}

/** Writes one file per session of a scope. A file that somebody edited since the last export is replaced only with `force`. */
export async function exportDocuments(scope: Scope, directory: string, force: boolean): Promise<CommandResult> {
  const documents = openDocuments(directory)
  await documents.initialize()
  const known = new Set(await documents.list())
  const done: Done[] = []
  for await (const session of sessionIds(scope)) {
    const document = parseDocument(await scope.session(session).document())
    const there = await loaded(documents, session)
    const isNew = !(there instanceof MemoryError) && !known.has(session)
    const outcome = isNew ? 'written' : outcomeOf(scope.name, there, document)
    if (outcome === 'unchanged' || (outcome !== 'written' && !force)) {
      done.push({ session, outcome, ...(there instanceof MemoryError ? { message: there.message } : {}) })
      continue
    }
    const version = there instanceof MemoryError ? 0 : (there.version ?? 0)
    await documents.save(
      { ...document, version, exported: exportHash(scope.name, document) },
      { overwrite: there instanceof MemoryError },
    )
    done.push({ session, outcome: 'written' })
  }
  const many = (outcome: Outcome): number => done.filter((one) => one.outcome === outcome).length
  const other = done.filter(({ outcome }) => outcome === 'changed-outside' || outcome === 'damaged')
  return {
    value: { scope: scope.name, directory: documents.directory, documents: done },
    exit: other.length === 0 ? 'ok' : 'conflict',
    text: () =>
      [
        ...other.map(
          ({ session, message = 'its file was changed by somebody else' }) =>
            `${terminalLine(session)}: ${terminalLine(message)}; pass --force to write over it`,
        ),
        `${counted(many('written'), 'document')} written, ${many('unchanged')} unchanged: ${terminalLine(documents.directory)}`,
      ].join('\n'),
  }
}

function outcomeOf(scope: string, there: ContextDocument | MemoryError, document: ContextDocument): Outcome {
  if (there instanceof MemoryError) return 'damaged'
  if (contentOf(there) === contentOf(document)) return 'unchanged'
  return isUnedited(scope, there) ? 'written' : 'changed-outside'
}

/** A damaged file is put aside and reported; the others are still written. */
async function loaded(documents: Documents, session: string): Promise<ContextDocument | MemoryError> {
  try {
    return await documents.load(session)
  } catch (error) {
    if (MemoryError.is(error, 'documents/corrupt')) return error
    throw error
  }
}

/** Imports a directory of documents, or one: its history as messages of this memory, the rest as the session's state. */
export async function importDocuments(scope: Scope, path: string, session: string | undefined): Promise<CommandResult> {
  const done: ImportedDocument[] = []
  const failed: { readonly session: string; readonly message: string }[] = []
  for await (const { name, load } of documentsAt(path)) {
    try {
      done.push(await importDocument(scope, await load(), defined({ session })))
    } catch (error) {
      // The others are still imported.
      if (!MemoryError.is(error)) throw error
      failed.push({ session: name, message: error.message })
    }
  }
  const added = done.reduce((sum, one) => sum + one.added, 0)
  const gone = done.reduce((sum, one) => sum + one.forgotten.length, 0)
  return {
    value: { scope: scope.name, documents: done, failed },
    exit: failed.length === 0 ? 'ok' : 'failed',
    text: () =>
      [
        ...failed.map(({ session: name, message }) => `${terminalLine(name)}: ${terminalLine(message)}`),
        `${counted(done.length, 'document')} imported, ${counted(added, 'new message')}${gone === 0 ? '' : `; forgotten before: ${gone}`}${failed.length === 0 ? '' : `; not imported: ${failed.length}`}`,
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
      `Cannot read the document ${JSON.stringify(path)}: it is not JSON`,
      { file: path },
      error,
    )
  }
}

async function* sessionIds(scope: Scope): AsyncGenerator<string, undefined> {
  for (let after: string | undefined; ;) {
    const page = await scope.sessions({ limit: SESSIONS_PER_PAGE, ...defined({ after }) })
    for (const { id } of page.sessions) yield id
    if (page.next === null) return
    after = page.next
  }
}
