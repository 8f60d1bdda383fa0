import type { EncryptionOptions } from '../api/open-memory.ts'
import { readKey } from '../providers/read-key.ts'

/** The keys, read from where they are kept. */
export interface EncryptionKeys {
  readonly file?: Uint8Array
  readonly content?: { readonly master: Uint8Array; readonly former?: Uint8Array }
}

/** Reads the keys that the option `encryption` names. */
export async function keysFrom({ file, content, former }: EncryptionOptions = {}): Promise<EncryptionKeys> {
  return {
    ...(file === undefined ? {} : { file: await readKey('encryption.file', file) }),
    ...(content === undefined
      ? {}
      : {
          content: {
            master: await readKey('encryption.content', content),
            ...(former === undefined ? {} : { former: await readKey('encryption.former', former) }),
          },
        }),
  }
}
