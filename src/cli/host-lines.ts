/** What `daybook init` needs to write a program. */
export interface HostPlace {
  readonly memory: string
  readonly scope: string
}

interface HostLines {
  /** What it is called in the list. */
  readonly title: string
  readonly install: string
  program(place: HostPlace): string
}

function program({ memory, scope }: HostPlace, imports: string, model: string): string {
  return `import { openMemory, runTurn } from 'daybook'
${imports}
const memory = await openMemory(${JSON.stringify(memory)})
const chat = memory.scope(${JSON.stringify(scope)}).session('first')

const result = await runTurn(chat, {
  model: ${model},
  input: 'Hello, my name is Ada.',
  context: { budget: 8_000, system: 'You are a helpful assistant.', recall: true },
})
console.log(result)
await memory.settled() // waits until facts are learned from what was said
await memory.close()`
}

/** The programs that `daybook init` writes, by the name of the host. MCP hosts are configured by `installMcp`. */
export const hostLines: Readonly<Record<string, HostLines>> = {
  none: {
    title: 'None: my own loop',
    install: 'npm install daybook',
    program: (place) =>
      program(
        place,
        '',
        '({ context }) => `I have read ${context.messages.length} messages.` /* call your model here */',
      ),
  },
  'ai-sdk': {
    title: 'Vercel AI SDK',
    install: 'npm install daybook ai @ai-sdk/openai',
    program: (place) => program(place, "import { openai } from '@ai-sdk/openai'\n", "openai('gpt-5')"),
  },
}
