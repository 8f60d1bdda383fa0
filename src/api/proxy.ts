/** Where a proxy listens, and where it sends requests. */
export interface ProxyOptions {
  /** The address to listen on. @default 127.0.0.1 */
  readonly host?: string
  /** The port; 0 takes any that is free. @default 3774 */
  readonly port?: number
  /** The address of an OpenAI-compatible provider, with or without `/v1`. @default https://api.openai.com */
  readonly openai?: string
  /** The address of an Anthropic-compatible provider. @default https://api.anthropic.com */
  readonly anthropic?: string
  /** Fit longer conversations into this many tokens. @default they are sent as they are */
  readonly budget?: number
  /** Called when a reply was sent but could not be stored. @default not reported */
  readonly onError?: (error: unknown) => void
}
