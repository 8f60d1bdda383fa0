/** An archive as one text, and back. */
export async function readArchive(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

export async function* source(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
