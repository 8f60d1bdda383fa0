import type { RecordInfo } from '../../api/records.ts'

const DEPTH = 2
/** What a directory takes on a disk. */
const DIRECTORY_SIZE = '4K'
const UNITS = ['B', 'K', 'M', 'G']

/** A directory and what is in it, two levels deep, as the SDK's own tool shows it. */
export function directoryListing(path: string, key: string, records: readonly RecordInfo[]): string {
  const root = directory()
  for (const { key: name, bytes } of records) {
    const names = name.slice(key === '' ? 0 : key.length + 1).split('/')
    const file = names.pop() ?? ''
    let place = root
    for (const each of names) {
      const next = place.directories.get(each) ?? directory()
      place.directories.set(each, next)
      place = next
    }
    // The record of a directory ends with a slash.
    if (file !== '') place.files.set(file, bytes)
  }
  const lines = [`${DIRECTORY_SIZE}\t${path}`, ...listed(root, path, 1)]
  return `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:\n${lines.join('\n')}`
}

interface Directory {
  readonly files: Map<string, number>
  readonly directories: Map<string, Directory>
}

function directory(): Directory {
  return { files: new Map(), directories: new Map() }
}

function listed({ files, directories }: Directory, path: string, depth: number): readonly string[] {
  const names = [...files.keys(), ...directories.keys()].filter(
    (name) => !name.startsWith('.') && name !== 'node_modules',
  )
  // In the order of JavaScript, as the SDK sorts.
  return names.toSorted().flatMap((name) => {
    const inner = directories.get(name)
    if (inner === undefined) return [`${sizeOf(files.get(name) ?? 0)}\t${path}/${name}`]
    const below = depth < DEPTH ? listed(inner, `${path}/${name}`, depth + 1) : []
    return [`${DIRECTORY_SIZE}\t${path}/${name}/`, ...below]
  })
}

function sizeOf(bytes: number): string {
  if (bytes === 0) return '0B'
  const unit = Math.floor(Math.log(bytes) / Math.log(1024))
  const size = bytes / 1024 ** unit
  return `${size % 1 === 0 ? size : size.toFixed(1)}${UNITS[unit] ?? ''}`
}
