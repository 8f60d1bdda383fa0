import { readFile, stat } from 'node:fs/promises'
import { type ContextDocument, type ImportedDocument, importDocument, openDocuments } from '../documents/index.ts'
import type { Documents } from '../documents/documents.ts'
import { Exported, saysSame } from '../documents/exported.ts'
import { MemoryError } from '../domain/error.ts'
import type { Scope } from '../memory/scope.ts'
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

/** A file for each session of a scope. What somebody changed there since is written over only if that was said. */
export async function exportDocuments(scope: Scope, directory: string, force: boolean): Promise<CommandResult> {
  const documents = openDocuments(directory)
  await documents.initialize()
  const known = new Set(await documents.list())
  const exported = await Exported.open(directory)
  const done: Done[] = []
  try {
    for await (const id of sessionIds(scope)) {
      const document = await scope.session(id).document()
      const there = await loaded(documents, id)
      const outcome = outcomeOf(there, { document, isThere: known.has(id), scope: scope.name, exported })
      if (outcome === 'written' || (force && outcome !== 'unchanged')) {
        const version = there instanceof MemoryError ? undefined : there.version
        const next = { ...document, ...(version === undefined ? {} : { version }) }
        exported.add(
          scope.name,
          await documents.save(next, there instanceof MemoryError ? { policy: 'overwrite' } : {}),
        )
        done.push({ session: id, outcome: 'written' })
      } else {
        // What the memory says as well is nobody's edit.
        if (outcome === 'unchanged') exported.add(scope.name, document)
        done.push({ session: id, outcome, ...(there instanceof MemoryError ? { message: there.message } : {}) })
      }
    }
  } finally {
    await exported.save()
  }
  const many = (outcome: Outcome): number => done.filter((one) => one.outcome === outcome).length
  const other = done.filter(({ outcome }) => outcome === 'changed-outside' || outcome === 'damaged')
  return {
    value: { scope: scope.name, directory: documents.directory, documents: done },
    exit: other.length === 0 ? 'ok' : 'conflict',
    text: () =>
      [
        ...other.map(
          ({ session, message = 'its file says something else' }) =>
            `${terminalLine(session)}: ${terminalLine(message)}, expected --force to write over it`,
        ),
        `${counted(many('written'), 'document')} written, ${many('unchanged')} as they were: ${terminalLine(documents.directory)}`,
      ].join('\n'),
  }
}

/** A damaged file is put aside and told of: it is no reason to leave the others out. */
async function loaded(documents: Documents, session: string): Promise<ContextDocument | MemoryError> {
  try {
    return await documents.load(session)
  } catch (error) {
    if (MemoryError.is(error, 'documents/corrupt')) return error
    throw error
  }
}

function outcomeOf(
  there: ContextDocument | MemoryError,
  now: {
    readonly document: ContextDocument
    readonly isThere: boolean
    readonly scope: string
    readonly exported: Exported
  },
): Outcome {
  if (there instanceof MemoryError) return 'damaged'
  if (!now.isThere) return 'written'
  if (saysSame(there, now.document)) return 'unchanged'
  return now.exported.isAsWritten(now.scope, there) ? 'written' : 'changed-outside'
}

/** A directory of documents, or one: its history as messages of this memory, the rest as the session's state. */
export async function importDocuments(scope: Scope, path: string, session: string | undefined): Promise<CommandResult> {
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
  const gone = done.reduce((sum, one) => sum + one.forgotten.length, 0)
  return {
    value: { scope: scope.name, documents: done, failed },
    exit: failed.length === 0 ? 'ok' : 'failed',
    text: () =>
      [
        ...failed.map(({ session: name, message }) => `${terminalLine(name)}: ${terminalLine(message)}`),
        `${counted(done.length, 'document')} brought in, ${counted(added, 'new message')}${gone === 0 ? '' : `; forgotten before: ${gone}`}${failed.length === 0 ? '' : `; left out: ${failed.length}`}`,
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
