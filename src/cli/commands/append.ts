import type { Command } from 'commander'
import type { NewMessage } from '../../domain/new-message.ts'
import type { FieldsOf } from '../../shape/shape.ts'
import { aNewMessage } from '../../surface/message-shapes.ts'
import { messageOperations } from '../../surface/messages.ts'
import { fieldsIn } from '../../surface/request-fields.ts'
import { type CommonOptions, command, inScope, sessionIdOf } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { letLearn } from '../let-learn.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { parseDocuments, readInput, valueOrStdin } from '../read-input.ts'
import { counted } from '../render/layout.ts'
import { messageHead } from '../render/session.ts'
import { sessionWords } from '../session-words.ts'
import type { Shell } from '../shell.ts'

const given = fieldsIn(aNewMessage) as FieldsOf<NewMessage>
const messageFields = { role: given.role, name: given.name, tags: given.tags, id: given.id }

type Options = CommonOptions & {
  readonly role: NewMessage['role']
  readonly input?: string
  readonly learn: boolean
}

export function appendCommand(shell: Shell): Command {
  const fields = optionFields(messageOperations.append)
  const made = command('append', 'Append messages; they are on disk when the command returns', {
    group: 'Core',
    of: 'session',
    creates: true,
    lists: true,
    examples: [
      'daybook append --create --scope acme/ada support-42 "My order 7731 is late, again."',
      'cat notes.txt | daybook append --scope acme/ada notes -',
      'daybook append --scope acme/ada import --input messages.jsonl',
    ],
  })
    .usage('[options] [session] <text>')
    .argument('[session]', 'the same as --session')
    .argument('[text]', 'what was said; - reads it from standard input')
    .option('--input <file>', 'messages as JSON, one document or one per line; - reads standard input')
  return withOptions(made, { ...messageFields, ...fields }, { role: 'user' })
    .option('--no-learn', 'do not wait for facts to be learned from it')
    .action(async (first: string | undefined, second: string | undefined, typed: Options) => {
      const needed = typed.input === undefined ? 'a text' : undefined
      const { options, word: text } = sessionWords([first, second], typed, needed)
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

async function messagesOf(shell: Shell, text: string | undefined, options: Options): Promise<readonly NewMessage[]> {
  const { input } = options
  if ((text === undefined) === (input === undefined))
    throw new CommandError('usage', 'Cannot append: expected either a text (or -) or --input <file>')
  // The library checks what they are: a message may have any of a dozen shapes.
  if (input !== undefined) return parseDocuments(await readInput(shell, input)) as readonly NewMessage[]
  const content = await valueOrStdin(shell, text ?? '')
  return [{ ...givenOf(messageFields, options), role: options.role, content }]
}
