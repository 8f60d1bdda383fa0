/** The blobs that a body shows. Who only mentions a hash in a text has other quotation marks around it. */
export function shownIn(body: string): readonly string[] {
  return Array.from(body.matchAll(/"hash":"([0-9a-f]{64})"/g), ([, hash = '']) => hash)
}
