/** Where a memory is served over HTTP, and to whom. */
export interface ListenOptions {
  /** The address to listen on. @default 127.0.0.1 */
  readonly host?: string
  /** The port; 0 takes any that is free. @default 3773 */
  readonly port?: number
  /** Other host names that requests may use. @default those of the address */
  readonly hosts?: readonly string[]
  /** Web pages of these origins may call the server. @default none */
  readonly origins?: readonly string[]
  /** Web pages of these origins may show `/me` in a frame. @default none */
  readonly frameAncestors?: readonly string[]
  /** The files of a certificate and its key. An address that others can reach needs them, or `behindProxy`. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** A proxy in front of the server does TLS. @default false */
  readonly behindProxy?: boolean
  /** The file for the admin key that is made at the first start. @default none is made */
  readonly keyFile?: string
  /** The folder for backups that are requested with an admin key. @default there are no backups through the server */
  readonly backups?: string
  /** Send spans to OpenTelemetry, if `@opentelemetry/api` is installed. @default false */
  readonly telemetry?: boolean
  /** Put what was said into the spans too. @default false */
  readonly spanContent?: boolean
}
