/**
 * Packages that are built into ours instead of being installed beside it, by the file of `dist/vendor/` that holds each. They
 * weigh 64 MB as npm installs them, nearly all of it formats and tables that nobody loads.
 */
export const vendored: Readonly<Record<string, string>> = {
  'chrono-node': 'chrono-node',
  'gpt-tokenizer/encoding/cl100k_base': 'cl100k_base',
  'gpt-tokenizer/encoding/o200k_base': 'o200k_base',
  '@modelcontextprotocol/server': 'mcp',
  '@modelcontextprotocol/server/stdio': 'mcp-stdio',
  '@hono/node-server': 'node-server',
  hono: 'hono',
  'snowball-stemmers': 'snowball-stemmers',
}
