import type { CodeBlock } from './code-blocks.ts'
import { programs } from './code-blocks.ts'

/** Something that a page shows and that is run. */
export interface PageStep {
  /** The page and its line. */
  readonly where: string
  /** The folder it runs in. */
  readonly folder: string
  readonly kind: 'program' | 'command'
  /** The file of a program, or the words of a command line after `daybook`. */
  readonly words: readonly string[]
}

export interface PageResult {
  readonly where: string
  /** What went wrong; empty if nothing did. */
  readonly problem: string
}

/** Commands that run until they are stopped, or open a window: only their words are checked. */
const LASTING = ['serve', 'proxy', 'mcp', 'chat', 'open', 'tail', 'init']

/** The words of a command line for a shell: blanks separate, quotation marks keep together, `#` begins a comment. */
function wordsOf(command: string): string[] {
  const words: string[] = []
  for (const [, single, double, bare = ''] of command.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)) {
    if (bare === '#') break
    words.push(single ?? double ?? bare)
  }
  return words
}

/** What a page runs, in its order: `ts` blocks, and lines of `bash` blocks that begin with `daybook` or `npx daybook`. */
export function pageSteps(
  document: string,
  blocks: readonly CodeBlock[],
  fileOf: (line: number) => string,
): PageStep[] {
  const page = document.replaceAll(/\W/g, '-')
  const starts = new Set(programs(blocks).map(({ line }) => line))
  const steps: PageStep[] = []
  let folder = `${page}-0`
  for (const { language, line, text } of blocks) {
    if (language === 'ts' && starts.has(line)) {
      folder = `${page}-${line}`
      steps.push({ where: `${document}:${line}`, folder, kind: 'program', words: [fileOf(line)] })
    }
    if (language !== 'bash') continue
    for (const [index, command] of text.split('\n').entries()) {
      const words = daybookWords(command)
      if (words === undefined || LASTING.includes(words[0] ?? '')) continue
      steps.push({ where: `${document}:${line + index}`, folder, kind: 'command', words })
    }
  }
  return steps
}

/** The words after `daybook`, if it is that command. */
export function daybookWords(command: string): string[] | undefined {
  const [, rest] = /^(?:npx (?:-y )?)?daybook\b(.*)$/.exec(command) ?? []
  return rest === undefined ? undefined : wordsOf(rest)
}
