const ROOT = '/memories'

/**
 * The key of a path below `/memories`: without slashes at its ends, and empty for `/memories` itself. Reads a path as the file system
 * of the SDK's own tool does.
 *
 * @throws {Error} if the path leads elsewhere. The text is for the model.
 */
export function memoryKey(path: string): string {
  if (!path.startsWith(ROOT)) throw new Error(`Path must start with /memories, got: ${path}`)
  const names: string[] = []
  for (const name of path.slice(ROOT.length).split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) throw new Error(`Path ${path} would escape /memories directory`)
  }
  return names.join('/')
}

/** The path of a key. */
export function memoryPath(key: string): string {
  return key === '' ? ROOT : `${ROOT}/${key}`
}

/** The keys of the directories that a key is in, outermost first. */
export function directoriesAbove(key: string): readonly string[] {
  const names = key.split('/').slice(0, -1)
  return names.map((_, index) => names.slice(0, index + 1).join('/'))
}
