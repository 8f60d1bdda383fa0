import type { KeptPiece, MessagePiece, StreamedMessage } from '../api/streams.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { Shape } from '../shape/shape.ts'
import { aJsonObject, aText, aTimeOrNumber, aWholeNumber, anId, oneOf, someText } from '../shape/values.ts'
import { aListOf, parsed } from '../shape/combine.ts'
import { aMapOf } from '../shape/object.ts'
import { noun } from './noun.ts'
import type { CheckedCall, Operation } from './operation.ts'
import { SESSION } from './paths.ts'

/** Its values are checked by the parser of messages when the first piece is stored. */
const streamedMessage: Shape<StreamedMessage> = anObject(
  'StreamedMessage',
  {
    role: mustHave(oneOf(['assistant', 'user']), 'Who speaks'),
    name: mayHave(aText, 'The name of the user, agent or tool'),
    tags: mayHave(aListOf(someText), 'Tags to find it by'),
    metadata: mayHave(aJsonObject, 'Whatever a program wants to keep with it'),
    provider: mayHave(
      aMapOf(aJsonObject),
      'Fields that only their provider understands, by provider: stored and returned unchanged',
    ),
    id: mayHave(anId, 'Its id', 'a new one'),
    at: mayHave(parsed(aTimeOrNumber), 'When it was said', 'now'),
  },
  { what: 'field' },
)

const messagePiece: Shape<MessagePiece> = anObject('MessagePiece', {
  from: mustHave(aWholeNumber, 'Where it begins: how many characters of the text come before it'),
  text: mustHave(aText, 'Its text'),
  message: mayHave(streamedMessage, 'Who speaks; required with the first piece, which starts the message'),
})

/** `session.stream(message)`: pieces and the end of the message are requests of their own. */
export const streamCall: CheckedCall = {
  attempt: 'stream a message',
  takes: { message: mustHave(streamedMessage, 'Who speaks, and what is stored with the message') },
}

export const streamOperations: Readonly<Record<'keep', Operation>> = noun('streams', {
  keep: {
    help: 'Store a piece of a message while it is written. The first piece appends the message, and `change` completes it',
    attempt: 'keep a piece',
    call: 'keepPiece',
    can: 'write',
    method: 'put',
    path: `${SESSION}/messages/{id}/text`,
    takes: { id: mustHave(anId, 'The id of the message') },
    options: messagePiece,
    sends: { description: mayHave(someText, 'The system message that a new session starts with') },
    answer: anObject<KeptPiece>('KeptPiece', {
      characters: mustHave(aWholeNumber, 'How many characters of its text'),
    }),
    writes: true,
    repeat: 'harmless',
  },
})
