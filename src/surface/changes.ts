import type {
  AppendStep,
  ChangeOptions,
  ChangeStep,
  Changed,
  ClearStep,
  RemoveStep,
  ReviseStep,
  SyncOptions,
  Synced,
} from '../api/changes.ts'
import { dialects } from '../domain/dialect.ts'
import type { NewMessage } from '../domain/new-message.ts'
import { aListOf, either, parsed } from '../shape/combine.ts'
import { anObject, mayHave, mustHave } from '../shape/object.ts'
import type { OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import { aFlag, aPosition, aText, aWholeNumber, anId, notSent, oneOf, someText } from '../shape/values.ts'
import { aMessage, aMessageRevision, aNewMessage, aWarning } from './message-shapes.ts'
import { noun } from './noun.ts'
import type { Operation } from './operation.ts'
import { SESSION } from './paths.ts'

const type = <T extends string>(name: T): RequiredField<T> => mustHave(oneOf([name]), 'What the step does')
const id: RequiredField<string> = mustHave(anId, 'The id of the message')

const aStep: Shape<ChangeStep> = either(
  [
    anObject<AppendStep>('AppendStep', {
      type: type('append'),
      messages: mustHave(aListOf(parsed(aNewMessage), { wanted: 'an array of messages' }), 'The messages, in order'),
    }),
    anObject<ReviseStep>('ReviseStep', {
      type: type('revise'),
      id,
      patch: mustHave(aMessageRevision, 'What to change in it'),
    }),
    anObject<RemoveStep>('RemoveStep', {
      type: type('remove'),
      id: mustHave(anId, 'The id of the message, which an earlier step of the same change may have appended'),
    }),
    anObject<ClearStep>('ClearStep', {
      type: type('clear'),
      keepSystem: mayHave(aFlag, 'Keep system messages in the window', 'true'),
    }),
  ],
  { name: 'ChangeStep', wanted: 'a step: append, revise, remove or clear' },
)

const changeOptions: Shape<ChangeOptions> = anObject('ChangeOptions', {
  after: mayHave(
    either(
      [
        aPosition,
        anObject<{ readonly version: number }>(undefined, {
          version: mustHave(aPosition, 'The version of the log'),
        }),
      ],
      { wanted: 'a sequence number or { version }' },
    ),
    'Change only if this is still the last position, or the version of the log',
    'whatever the log is',
  ),
  operationId: mayHave(anId, 'Names this change'),
  request: mayHave(
    aText,
    'What was asked, in words of your own: a retry is recognised by it, for programs that make the steps from the log',
    'the steps',
  ),
})

const syncOptions: Shape<SyncOptions> = anObject('SyncOptions', {
  // A client converts the messages before it sends them.
  dialect: mayHave(notSent(oneOf(dialects)), 'The dialect that the messages are in', 'messages of Daybook'),
  complete: mayHave(
    aFlag,
    'The messages are the whole conversation: live messages before the first one given are removed',
    'false',
  ),
})

const transcript: Shape<readonly NewMessage[]> = parsed(aListOf(aNewMessage))

const lastSeq: RequiredField<number> = mustHave(aWholeNumber, 'The last position of the session now')
const version: RequiredField<number> = mustHave(aWholeNumber, "The version of the session's log now")

const description: OptionalField<string> = mayHave(someText, 'The system message that a new session starts with')

export const changeOperations: Readonly<Record<'change' | 'sync', Operation>> = noun('changes', {
  change: {
    help: 'Append, revise, remove and clear in one transaction, all or none',
    attempt: 'change the session',
    call: 'change',
    can: 'write',
    method: 'post',
    path: `${SESSION}/change`,
    takes: { steps: mustHave(aListOf(aStep, { wanted: 'an array of steps' }), 'The steps, in order') },
    options: changeOptions,
    sends: { description },
    answer: anObject<Changed>('Changed', {
      messages: mustHave(aListOf(aMessage), 'The messages that were appended or revised, in the order of the steps'),
      warnings: mustHave(aListOf(aWarning), 'What was odd about them'),
      lastSeq,
      version,
    }),
    writes: true,
    repeat: 'by-log',
  },
  sync: {
    help: 'Make the live messages follow the transcript of a host. Doing it twice changes nothing',
    attempt: 'sync',
    call: 'sync',
    can: 'write',
    method: 'post',
    path: `${SESSION}/sync`,
    takes: { messages: mustHave(transcript, 'The messages of the host, oldest first') },
    options: syncOptions,
    sends: { description },
    answer: anObject<Synced>('Synced', {
      appended: mustHave(aListOf(aMessage), 'The messages that are new'),
      revised: mustHave(aListOf(aMessage), 'The messages that have new content'),
      removed: mustHave(aListOf(aText), 'The ids of the messages that were removed'),
      lastSeq,
      version,
    }),
    writes: true,
    repeat: 'harmless',
  },
})
