import { type Command, Option } from 'commander'
import { roles } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { messageOperations } from '../../surface/messages.ts'
import { type CommonOptions, command, inScope, parseList, sessionIdOf } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { letLearn } from '../let-learn.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { parseDocuments, readInput, valueOrStdin } from '../read-input.ts'
import { counted } from '../render/layout.ts'
import { messageHead } from '../render/session.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly role: NewMessage['role']
  readonly name?: string
  readonly tag?: readonly string[]
  readonly id?: string
  readonly input?: string
  readonly learn: boolean
}

export function appendCommand(shell: Shell): Command {
  const fields = optionFields(messageOperations.append)
  const made = command('append', 'Append messages; they are on disk when the command returns', {
    group: 'Conversations',
    of: 'session',
    creates: true,
    lists: true,
    examples: [
      'daybook append --create --scope acme/ada --session support-42 "My order 7731 is late, again."',
      'cat notes.txt | daybook append --scope acme/ada --session notes -',
      'daybook append --scope acme/ada --session import --input messages.jsonl',
    ],
  })
    .argument('[text]', 'what was said; - reads it from the pipe')
    .addOption(new Option('--role <role>', 'who said it').choices(roles).default('user'))
    .option('--name <name>', "the speaker's name")
    .option('--tag <tag>', 'a tag; several times, or with commas', parseList)
    .option('--id <id>', 'its id: the same again stores nothing')
    .option('--input <file>', 'messages as JSON, one document or one a line; - reads the pipe')
  return withOptions(made, fields)
    .option('--no-learn', 'do not wait for facts to be learned from it')
    .action(async (text: string | undefined, options: Options) => {
      const id = sessionIdOf(options)
      const messages = await messagesOf(shell, text, options)
      const { learn } = options
      await inScope(
        shell,
        options,
        async (scope, memory) => {
          const stored = await scope.session(id).append(messages, givenOf(fields, options))
          if (learn) await letLearn(memory)
          return {
            value: { scope: scope.name, session: id, messages: [...stored], warnings: stored.warnings },
            rows: [...stored],
            text: (look) =>
              [
                ...stored.map((message) => messageHead(message, look)),
                ...stored.warnings.map((warning) => look.paint('yellow', `warning: ${warning.message}`)),
                `${counted(stored.length, 'message')} stored`,
              ].join('\n'),
          }
        },
        learn ? { learn: 'patterns' } : {},
      )
    })
}

async function messagesOf(
  shell: Shell,
  text: string | undefined,
  { input, role, name, tag, id }: Options,
): Promise<readonly NewMessage[]> {
  if ((text === undefined) === (input === undefined))
    throw new CommandError('usage', 'Cannot append: expected either a text (or -) or --input <file>')
  // The library checks what they are: a message may have any of a dozen shapes.
  if (input !== undefined) return parseDocuments(await readInput(shell, input)) as readonly NewMessage[]
  return [
    {
      role,
      content: await valueOrStdin(shell, text ?? ''),
      ...(name === undefined ? {} : { name }),
      ...(tag === undefined ? {} : { tags: tag }),
      ...(id === undefined ? {} : { id }),
    },
  ]
}
