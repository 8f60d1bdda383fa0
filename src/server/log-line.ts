/** One line of the server's log. No content, no addresses with names in them, no keys. */
export type LogLine =
  | {
      readonly level: 'info' | 'error'
      readonly message: 'request'
      readonly method: string
      /** The operation, never the path: a path has names of users in it. */
      readonly operation: string
      readonly status: number
      readonly ms: number
      /** The id of the key. */
      readonly key: string | null
      readonly code?: string
    }
  | { readonly level: 'info' | 'error'; readonly message: string; readonly error?: string }
