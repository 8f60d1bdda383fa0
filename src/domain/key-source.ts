/**
 * Where a key of 32 bytes comes from: the key itself, as bytes or as text in hexadecimal or base64; or an environment
 * variable, a file or the output of a command that has it so.
 */
export type KeySource =
  | string
  | Uint8Array
  | { readonly env: string }
  | { readonly path: string }
  | { readonly command: readonly string[] }
