import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { checkScope } from '../../domain/names.ts'
import { type ResultOptions, writeResult } from '../command-result.ts'
import { command } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { type HostPlace, hostLines } from '../host-lines.ts'
import type { Shell } from '../shell.ts'
import { FILE_DEFAULT } from '../with-memory.ts'

const SCOPE_DEFAULT = 'me'

interface Options extends ResultOptions, Partial<HostPlace> {
  readonly host?: string
}

interface Chosen extends HostPlace {
  readonly host: string
}

export function initCommand(shell: Shell): Command {
  return command('init', 'Ask three questions and print the lines that give your host a memory', {
    group: 'Core',
    of: 'scope',
    examples: ['daybook init', 'daybook init --host claude-code --memory agent.db --scope me'],
  })
    .addOption(new Option('--host <name>', 'the program that should have a memory').choices(Object.keys(hostLines)))
    .action(async (options: Options) => {
      const chosen = await choose(shell, options)
      checkScope('init', chosen.scope)
      const { where, install, lines, title } = hostLines[chosen.host] ?? unknownHost(chosen.host)
      // A host starts the server in a folder of its own.
      const place = install === '' ? { ...chosen, memory: resolve(chosen.memory) } : chosen
      const text = lines(place)
      writeResult(shell, options, {
        value: { host: chosen.host, install, where, lines: text },
        text: ({ paint }) =>
          [
            ...(install === '' ? [] : [paint('dim', 'Install:'), install, '']),
            paint('dim', install === '' ? `For ${title}, in ${where}:` : `In ${where}, then: node ${where}`),
            text,
          ].join('\n'),
      })
    })
}

/** Asks for what was not given. Without a terminal there is nobody to ask, and defaults are used. */
async function choose(shell: Shell, { host, memory, scope }: Options): Promise<Chosen> {
  const asks = shell.stdin.isTTY === true && shell.stderr.isTTY === true
  if (!asks) {
    if (host === undefined)
      throw new CommandError('usage', `No host given: pass --host with one of ${Object.keys(hostLines).join(', ')}`)
    return { host, memory: memory ?? FILE_DEFAULT, scope: scope ?? SCOPE_DEFAULT }
  }
  const prompts = await import('@clack/prompts')
  const output = shell.stderr as NodeJS.WriteStream
  const taken = (value: string | symbol): string => {
    if (typeof value !== 'string') throw new CommandError('interrupted', 'Nothing was written')
    return value
  }
  const options = Object.entries(hostLines).map(([value, { title }]) => ({ value, label: title }))
  const text = async (message: string, initialValue: string): Promise<string> =>
    taken(await prompts.text({ message, initialValue, output }))
  return {
    host: host ?? taken(await prompts.select({ message: 'Which program should have a memory?', options, output })),
    memory: memory ?? (await text('Which file should hold it?', FILE_DEFAULT)),
    scope: scope ?? (await text('Whose memory is it? A name, or a path such as acme/ada', SCOPE_DEFAULT)),
  }
}

function unknownHost(host: string): never {
  throw new CommandError('usage', `Cannot write lines for ${JSON.stringify(host)}: no such host`)
}
