import { memoryFiles } from 'daybook/anthropic'

/** A file is created, read, and grows by a line: what an agent does that looks before it writes. */
export function open(memory) {
  const files = memoryFiles(memory.scope('a'))
  const path = '/memories/log.md'
  return {
    async call(number) {
      const text = await files.view({ command: 'view', path }).catch(() => undefined)
      if (text === undefined) await files.create({ command: 'create', path, file_text: 'begin\n' })
      else if (text.includes(`line ${number};`)) return
      await files.insert({ command: 'insert', path, insert_line: number + 1, insert_text: `line ${number};\n` })
    },
    read: async () => (await files.view({ command: 'view', path })).match(/line \d+;|begin/g),
  }
}

export function expected(calls) {
  return ['begin', ...Array.from({ length: calls }, (_, number) => `line ${number};`)]
}
