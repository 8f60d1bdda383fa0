/** What checks need of the headers of a request. */
export type ReadHeaders = Pick<Headers, 'get'>

/** A request that arrived, through the framework or directly from Node's server. */
export interface Arrived {
  readonly method: string
  /** With or without scheme and host. */
  readonly url: string
  readonly headers: ReadHeaders
  /** Wrong keys are counted by this address. */
  readonly address: string
  /** For routes that stream; the others use `read`. */
  readonly body: ReadableStream<Uint8Array> | null
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** The whole body, at once if all of it is here. @throws {MemoryError} `input/too-large` */
  read(bytesMax: number): Uint8Array | Promise<Uint8Array>
}
