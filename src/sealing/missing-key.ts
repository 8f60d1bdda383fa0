import { MemoryError } from '../domain/error.ts'

/** The memory was opened without the key to its content. */
export function contentKeyNeeded(session?: string): MemoryError {
  return new MemoryError(
    'encryption/key-needed',
    `Cannot use ${session === undefined ? 'this session' : `session ${JSON.stringify(session)}`}: its content is encrypted, expected the master key as encryption: { content: … }`,
    { session },
  )
}

/** Forgotten, or kept in another key file. */
export function keyDestroyed(id: string): MemoryError {
  return new MemoryError(
    'encryption/key-destroyed',
    `Cannot read encrypted content: its data key ${id} is not in the key file; it was forgotten, or this is another memory's key file`,
    { key: id },
  )
}

/** What was begun in the clear would go on in the clear. */
export function begunPlain(session: string): MemoryError {
  return new MemoryError(
    'encryption/not-encrypted',
    `Cannot write to session ${JSON.stringify(session)}: it was begun without encryption, expected a new session, a fork of it, or a memory without encryption: { content: … }`,
    { session },
  )
}
