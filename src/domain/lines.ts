/** Whatever ends a line somewhere: what is shown line by line, each with a mark, must not begin a line without one. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

export function lines(text: string): readonly string[] {
  return text.split(LINE_END)
}
