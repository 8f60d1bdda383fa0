import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type McpOptions, makeMcpServer } from './make-mcp-server.ts'

export interface Streams {
  readonly stdin: NodeJS.ReadableStream
  readonly stdout: NodeJS.WritableStream
}

/** Speaks MCP on two streams, one message per line, until the other side ends or `stop` aborts. */
export async function serveMcp({ stdin, stdout }: Streams, settings: McpOptions, stop: AbortSignal): Promise<void> {
  const [input, output] = [stdin, stdout] as unknown as ConstructorParameters<typeof StdioServerTransport>
  const transport = new StdioServerTransport(input, output)
  const ended = new Promise<void>((resolve) => {
    stdin.once('close', resolve)
    stdin.once('end', resolve)
    stdout.once('error', () => resolve())
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
  const serving = serveStdio(() => makeMcpServer({ ...settings, subscribes: true }), { transport })
  await ended
  await serving.close()
}
