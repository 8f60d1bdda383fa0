import type { Records } from '../../api/records.ts'
import type { Scope } from '../../api/scope.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { someText } from '../../shape/values.ts'
import { directoryListing } from './directory-listing.ts'
import { directoriesAbove, memoryKey, memoryPath } from './memory-path.ts'
import { MemoryTree } from './memory-tree.ts'

const LINES_MAX = 999_999
const NUMBER_WIDTH = 6
const SHOWN_AROUND = 2

/** How files are kept. */
export interface MemoryFilesOptions {
  /** The collection of records that has the files. @default 'memories' */
  readonly collection?: string
}

const OPTIONS: Shape<MemoryFilesOptions> = anObject<MemoryFilesOptions>(undefined, {
  collection: mayHave(someText, 'The collection of records that has the files', 'memories'),
})

/** The six commands of Anthropic's memory tool, as `betaMemoryTool` of its SDK takes them. An error is a text for the model. */
export interface MemoryFiles {
  /** Shows a file with line numbers, or a directory two levels deep. */
  view(command: { readonly path: string; readonly view_range?: readonly number[] | null }): Promise<string>
  /** Writes a new file, with the directories above it. */
  create(command: { readonly path: string; readonly file_text: string }): Promise<string>
  /** Replaces a text that is in exactly one line. */
  str_replace(command: { readonly path: string; readonly old_str: string; readonly new_str: string }): Promise<string>
  /** Inserts a text after a line. */
  insert(command: {
    readonly path: string
    readonly insert_line: number
    readonly insert_text: string
  }): Promise<string>
  /** Deletes a file, or a directory with everything in it. */
  delete(command: { readonly path: string }): Promise<string>
  /** Moves a file or a directory. */
  rename(command: { readonly old_path: string; readonly new_path: string }): Promise<string>
}

/**
 * The files of Anthropic's memory tool, kept as records of a scope. Texts and errors are those of the SDK's own
 * `BetaLocalFilesystemMemoryTool`.
 */
export function memoryFiles(scope: Pick<Scope, 'records'>, options: MemoryFilesOptions = {}): MemoryFiles {
  checkScopeHandle('keep memory files', scope)
  OPTIONS.check('keep memory files', '', options)
  const records: Records = scope.records(options.collection ?? 'memories')
  const tree = new MemoryTree(records)
  return {
    view: ({ path, view_range: range }) => view(tree, path, range ?? undefined),
    create: ({ path, file_text: text }) => tree.retrying(() => create(tree, path, text)),
    str_replace: ({ path, old_str: old, new_str: text }) => tree.retrying(() => replace(tree, path, { old, text })),
    insert: ({ path, insert_line: line, insert_text: text }) => tree.retrying(() => insert(tree, path, { line, text })),
    delete: ({ path }) => tree.retrying(() => remove(tree, path)),
    rename: ({ old_path: from, new_path: to }) => tree.retrying(() => rename(tree, from, to)),
  }
}

async function view(tree: MemoryTree, path: string, range: readonly number[] | undefined): Promise<string> {
  const key = memoryKey(path)
  const node = await tree.read(key)
  if (node === undefined) throw missing(path)
  if ('directory' in node) return directoryListing(path, key, await tree.below(key))
  const lines = node.text.split('\n')
  if (lines.length > LINES_MAX)
    throw new Error(
      `File ${path} has too many lines (${lines.length}). Maximum is ${LINES_MAX.toLocaleString()} lines.`,
    )
  const [from = 1, to = -1] = range?.length === 2 ? range : []
  const first = Math.max(1, from) - 1
  const shown = lines.slice(first, to === -1 ? lines.length : to)
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, first)}`
}

async function create(tree: MemoryTree, path: string, text: string): Promise<string> {
  const key = memoryKey(path)
  if ((await tree.read(key)) !== undefined) throw new Error(`File ${path} already exists`)
  await tree.write(key, text, 0)
  return `File created successfully at: ${path}`
}

async function replace(
  tree: MemoryTree,
  path: string,
  { old, text }: { readonly old: string; readonly text: string },
): Promise<string> {
  const { key, file } = await fileAt(tree, path)
  const found = file.text.split('\n').flatMap((line, index) => (line.includes(old) ? [index + 1] : []))
  const [line] = found
  if (line === undefined)
    throw new Error(`No replacement was performed, old_str \`${old}\` did not appear verbatim in ${path}.`)
  if (found.length > 1)
    throw new Error(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${found.join(', ')}. Please ensure it is unique`,
    )
  const edited = file.text.replace(old, () => text)
  await tree.write(key, edited, file.version)
  const lines = edited.split('\n')
  const first = Math.max(0, line - 1 - SHOWN_AROUND)
  const snippet = numbered(lines.slice(first, line + SHOWN_AROUND), first)
  return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`
}

async function insert(
  tree: MemoryTree,
  path: string,
  { line, text }: { readonly line: number; readonly text: string },
): Promise<string> {
  const { key, file } = await fileAt(tree, path)
  const lines = file.text.split('\n')
  if (line < 0 || line > lines.length)
    throw new Error(
      `Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  await tree.write(key, lines.toSpliced(line, 0, text.replace(/\n$/, '')).join('\n'), file.version)
  return `The file ${path} has been edited.`
}

async function remove(tree: MemoryTree, path: string): Promise<string> {
  const key = memoryKey(path)
  const node = await tree.read(key)
  if (key === '') throw new Error('Cannot delete the /memories directory itself')
  if (node === undefined) throw new Error(`The path ${path} does not exist`)
  await tree.delete(key)
  return `Successfully deleted ${path}`
}

async function rename(tree: MemoryTree, from: string, to: string): Promise<string> {
  const source = memoryKey(from)
  // Read before the other path is looked at: of two wrong paths, the first is reported.
  const node = await tree.read(source)
  const target = memoryKey(to)
  const taken = await tree.read(target)
  if (source === '') throw new Error('Cannot rename the /memories directory itself')
  if (taken !== undefined) throw new Error(`The destination ${to} already exists`)
  const isInside = target.startsWith(`${source}/`)
  if (node === undefined || isInside) {
    // A file system makes the directories above the destination before it finds out.
    await tree.makeDirectories(directoriesAbove(target))
    if (isInside) throw new Error(`EINVAL: invalid argument, rename '${memoryPath(source)}' -> '${memoryPath(target)}'`)
    throw new Error(`The path ${from} does not exist`)
  }
  await tree.move(source, target)
  return `Successfully renamed ${from} to ${to}`
}

async function fileAt(
  tree: MemoryTree,
  path: string,
): Promise<{ readonly key: string; readonly file: { readonly text: string; readonly version: number } }> {
  const key = memoryKey(path)
  const file = await tree.read(key)
  if (file === undefined) throw missing(path)
  if ('directory' in file) throw new Error(`The path ${path} is not a file.`)
  return { key, file }
}

function missing(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`)
}

function numbered(lines: readonly string[], before: number): string {
  return lines.map((line, index) => `${String(before + index + 1).padStart(NUMBER_WIDTH, ' ')}\t${line}`).join('\n')
}
