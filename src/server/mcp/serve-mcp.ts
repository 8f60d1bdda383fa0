import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { AnsweringTransport } from './answering-transport.ts'
import { type McpOptions, makeMcpServer } from './make-mcp-server.ts'

export interface Streams {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
}

/** Speaks MCP on two streams, a message a line, until the other side ends or `stop` aborts. */
export async function serveMcp({ stdin, stdout }: Streams, settings: McpOptions, stop: AbortSignal): Promise<void> {
  const transport = new AnsweringTransport(stdin, stdout)
  stop.addEventListener('abort', () => transport.abandon(), { once: true })
  const serving = serveStdio(() => makeMcpServer({ ...settings, subscribes: true }), { transport })
  if (stop.aborted) transport.abandon()
  await transport.closed
  await serving.close()
}
