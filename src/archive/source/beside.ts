/** A file that is beside what is read, by the id that exports give it. */
export interface BesideFile {
  readonly name: string
  /** Its bytes; `undefined` if there are more than that. */
  readonly read: (bytesMax: number) => Promise<Buffer | undefined>
}

/** Finds the pictures and files that messages point to, in the folder or zip that holds the messages. */
export interface Beside {
  readonly find: (id: string) => Promise<BesideFile | undefined>
}

/** The id at the beginning of a file's name, as ChatGPT writes it: `file-AbC123-photo.png`, `file_00ab-sanitized.dat`. */
export function besideId(name: string): string | undefined {
  return /^file[-_][A-Za-z0-9]+/.exec(name.slice(name.lastIndexOf('/') + 1))?.[0]
}

/** All of a stream that is not longer than that. */
export async function readUpTo(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | undefined> {
  const held: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    held.push(chunk)
  }
  return Buffer.concat(held)
}
