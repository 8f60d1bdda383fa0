import type { Revision } from '../api/messages.ts'
import type { JSONValue } from '../domain/json.ts'
import { type Draft, type Incomplete, type Message, type Role, incompleteKinds, roles } from '../domain/message.ts'
import type { NewMediaSource, NewMessage, NewPart, NewToolCall } from '../domain/new-message.ts'
import type {
  AgentCallPart,
  AudioPart,
  DataPart,
  FilePart,
  ImagePart,
  MediaSource,
  Part,
  ProviderFields,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolOutput,
  ToolResultPart,
} from '../domain/part.ts'
import type { Warning } from '../domain/warning.ts'
import { aListOf, either, orNull, parsed } from '../shape/combine.ts'
import { aMapOf, anObject, mayHave, mustHave } from '../shape/object.ts'
import type { FieldsOf, OptionalField, RequiredField, Shape } from '../shape/shape.ts'
import {
  aCountUpTo,
  aJson,
  aJsonObject,
  anId,
  anIsoTime,
  aNull,
  aNumber,
  aText,
  aTimeOrNumber,
  aWholeNumber,
  oneOf,
  someText,
} from '../shape/values.ts'

export const aRole: Shape<Role> = oneOf(roles)

const anIncomplete: Shape<Incomplete> = oneOf(incompleteKinds)
const aTrue: Shape<true> = oneOf([true])
const providerFields: Shape<ProviderFields> = aMapOf(aJsonObject)
const provider: OptionalField<ProviderFields> = mayHave(
  providerFields,
  'Fields that only their provider understands, by provider: stored and returned unchanged',
)

const type = <T extends string>(name: T): RequiredField<T> => mustHave(oneOf([name]), 'What kind of part it is')

const aUrl: Shape<Extract<MediaSource, { type: 'url' }>> = anObject(undefined, {
  type: mustHave(oneOf(['url']), 'An address'),
  url: mustHave(aText, 'The address'),
})
const aBlob: Shape<Extract<MediaSource, { type: 'blob' }>> = anObject(undefined, {
  type: mustHave(oneOf(['blob']), 'Bytes that are stored'),
  hash: mustHave(aText, 'The SHA-256 of the bytes in hexadecimal'),
  bytes: mustHave(aWholeNumber, 'How many bytes'),
})
const aBase64: Shape<Extract<MediaSource, { type: 'base64' }>> = anObject(undefined, {
  type: mustHave(oneOf(['base64']), 'Bytes in base64'),
  base64: mustHave(aText, 'The bytes'),
})
const aMediaSource: Shape<MediaSource> = either([aUrl, aBlob, aBase64], { name: 'MediaSource' })

const aTextPart: Shape<TextPart> = anObject('TextPart', {
  type: type('text'),
  text: mustHave(aText, 'The text'),
  provider,
})
const aReasoningPart: Shape<ReasoningPart> = anObject('ReasoningPart', {
  type: type('reasoning'),
  text: mustHave(aText, 'What the model thought; empty if it is redacted'),
  provider,
})

const imageFields = {
  mediaType: mayHave(aText, 'Its media type'),
  name: mayHave(aText, 'Its file name'),
  detail: mayHave(oneOf(['low', 'high', 'auto']), 'How closely the provider looks at it: costs differ'),
  width: mayHave(aWholeNumber, 'Its width in pixels'),
  height: mayHave(aWholeNumber, 'Its height in pixels'),
  provider,
}
const source: RequiredField<MediaSource> = mustHave(aMediaSource, 'Where the bytes are')
const mediaType: RequiredField<string> = mustHave(aText, 'Its media type')
const fileName: OptionalField<string> = mayHave(aText, 'Its file name')
const pages: OptionalField<number> = mayHave(aCountUpTo(1_000_000), 'How many pages it has')
const transcript: OptionalField<string> = mayHave(aText, 'What is said in it')
const seconds: OptionalField<number> = mayHave(
  aNumber({ above: 0, max: 10_000_000 }, 'a number of seconds'),
  'How many seconds it plays',
)

const anImagePart: Shape<ImagePart> = anObject('ImagePart', { type: type('image'), source, ...imageFields })
const aFilePart: Shape<FilePart> = anObject('FilePart', {
  type: type('file'),
  source,
  mediaType,
  name: fileName,
  pages,
  provider,
})
const anAudioPart: Shape<AudioPart> = anObject('AudioPart', {
  type: type('audio'),
  source,
  mediaType,
  transcript,
  seconds,
  provider,
})

const aToolCallPart: Shape<ToolCallPart> = anObject('ToolCallPart', {
  type: type('tool-call'),
  id: mustHave(aText, 'The id of the call, which its result names'),
  name: mustHave(aText, 'The tool'),
  arguments: mustHave(aText, 'JSON as the provider sent it; incomplete if the stream was cut'),
  providerExecuted: mayHave(aTrue, 'The provider ran it: its result is in the same message'),
  provider,
})

const aToolOutput: Shape<ToolOutput> = either(
  [
    anObject<Extract<ToolOutput, { type: 'text' }>>(undefined, {
      type: mustHave(oneOf(['text']), 'Text'),
      text: mustHave(aText, 'The text'),
    }),
    anObject<Extract<ToolOutput, { type: 'json' }>>(undefined, {
      type: mustHave(oneOf(['json']), 'A JSON value'),
      value: mustHave(aJson, 'The value'),
    }),
    anObject<Extract<ToolOutput, { type: 'parts' }>>(undefined, {
      type: mustHave(oneOf(['parts']), 'Text and media'),
      parts: mustHave(aListOf(either([aTextPart, anImagePart, aFilePart, anAudioPart])), 'The parts'),
    }),
  ],
  { name: 'ToolOutput' },
)

const resultFields = {
  type: type('tool-result'),
  callId: mayHave(someText, 'The call that it is the result of'),
  name: mayHave(aText, 'The tool'),
  outcome: mayHave(oneOf(['ok', 'error', 'denied', 'interrupted']), 'How the call ended', "'ok'"),
  providerExecuted: mayHave(aTrue, 'The provider ran it'),
  provider,
}
const aToolResultPart: Shape<ToolResultPart> = anObject('ToolResultPart', {
  ...resultFields,
  output: mustHave(aToolOutput, 'What the tool returned'),
})

const agentCallFields: FieldsOf<Omit<AgentCallPart, 'type'>> = {
  id: mayHave(aText, 'The id of the call'),
  agent: mustHave(someText, 'The agent'),
  request: mustHave(aJson, 'What it is asked to do'),
  provider,
}
const anAgentCallPart: Shape<AgentCallPart> = anObject('AgentCallPart', {
  type: type('agent-call'),
  ...agentCallFields,
})

const aDataPart: Shape<DataPart> = anObject('DataPart', {
  type: type('data'),
  kind: mustHave(aText, 'Whose data it is: `structured` for your own'),
  data: mustHave(aJson, 'The data'),
  provider,
})

export const aPart: Shape<Part> = either(
  [
    aTextPart,
    aReasoningPart,
    anImagePart,
    aFilePart,
    anAudioPart,
    aToolCallPart,
    aToolResultPart,
    anAgentCallPart,
    aDataPart,
  ],
  { name: 'Part' },
)

const draftFields: FieldsOf<Omit<Draft, 'id' | 'at'>> = {
  role: mustHave(aRole, 'Who spoke'),
  parts: mustHave(aListOf(aPart), 'What was said'),
  name: mayHave(aText, 'The name of the user, agent or tool'),
  tags: mayHave(aListOf(aText), 'Its tags'),
  metadata: mayHave(aJsonObject, 'Whatever a program wants to keep with it'),
  provider,
  incomplete: mayHave(
    anIncomplete,
    'Only the beginning of what was to be said: it is being streamed or its writer crashed, or it was stopped',
  ),
}

const storedFields: FieldsOf<Omit<Message, keyof Draft>> = {
  seq: mustHave(aWholeNumber, 'Its position in the session: 1, 2, 3, … without gaps'),
  tokens: mustHave(aWholeNumber, 'What it costs, counted when it was stored'),
  tokenizer: mustHave(aText, 'Who counted'),
  revision: mustHave(aWholeNumber, '0 as appended, and one more with each revision'),
  removed: mayHave(aTrue, 'It was taken out of the window; the log keeps it'),
  imported: mayHave(aTrue, 'It was imported from elsewhere: trusted like a web page, whatever its role'),
}

export const aMessage: Shape<Message> = anObject(
  'Message',
  {
    ...draftFields,
    id: mustHave(aText, 'Its id'),
    at: mustHave(anIsoTime, 'When it was said'),
    ...storedFields,
  },
  { what: 'field' },
)

type Stored = Partial<Omit<Message, keyof Draft>>

/** What a stored message has besides, where a message may be stored or not. */
const maybeStored: FieldsOf<Stored> = {
  seq: mayHave(aWholeNumber, 'Its position in the session, if it is stored'),
  tokens: mayHave(aWholeNumber, 'What it costs, if it is stored'),
  tokenizer: mayHave(aText, 'Who counted'),
  revision: mayHave(aWholeNumber, '0 as appended, and one more with each revision'),
  removed: storedFields.removed,
  imported: storedFields.imported,
}

/** A message that may be stored or not: what contexts are made of. */
export const aDraft: Shape<Draft> = anObject<Draft & Stored>('Draft', {
  ...draftFields,
  id: mayHave(aText, 'Its id'),
  at: mayHave(anIsoTime, 'When it was said'),
  ...maybeStored,
}) as Shape<unknown> as Shape<Draft>

export const aWarning: Shape<Warning> = anObject('Warning', {
  type: mustHave(
    oneOf([
      'orphan-result',
      'missing-call-id',
      'duplicate-result',
      'duplicate-call',
      'clock-ahead',
      'other-description',
    ]),
    'What is odd',
  ),
  id: mustHave(aText, 'The id of the message'),
  seq: mustHave(aWholeNumber, 'The position of the message'),
  callId: mayHave(aText, 'The id of the tool call'),
  message: mustHave(aText, 'The same in words'),
})

/** Bytes are sent as base64, so a program's bytes have no schema of their own. */
const aNewMediaSource: Shape<NewMediaSource> = either(
  [
    someText,
    aUrl,
    aBlob,
    aBase64,
    anObject<{ readonly type: 'path'; readonly path: string }>(undefined, {
      type: mustHave(oneOf(['path']), 'A file'),
      path: mustHave(someText, 'Its path, inside a directory that the memory may read'),
    }),
  ],
  { name: 'NewMediaSource' },
) as Shape<unknown> as Shape<NewMediaSource>

const newSource: RequiredField<NewMediaSource> = mustHave(aNewMediaSource, 'A data URL, an address, a path or bytes')
const newMediaType: OptionalField<string> = mayHave(aText, 'Its media type', 'as the data URL or the file name says')

const newCallFields: FieldsOf<NewToolCall> = {
  id: mustHave(someText, 'The id of the call, which its result names'),
  name: mustHave(someText, 'The tool'),
  arguments: mustHave(either([aText, aJsonObject]), 'JSON as the provider sent it, or the object'),
  providerExecuted: mayHave(aTrue, 'The provider ran it'),
  provider,
}

const aNewPart: Shape<NewPart> = either(
  [
    aTextPart,
    aReasoningPart,
    anObject<Extract<NewPart, { type: 'image' }>>(undefined, {
      type: type('image'),
      source: newSource,
      ...imageFields,
    }),
    anObject<Extract<NewPart, { type: 'file' }>>(undefined, {
      type: type('file'),
      source: newSource,
      mediaType: newMediaType,
      name: fileName,
      pages,
      provider,
    }),
    anObject<Extract<NewPart, { type: 'audio' }>>(undefined, {
      type: type('audio'),
      source: newSource,
      mediaType: newMediaType,
      transcript,
      seconds,
      provider,
    }),
    anObject<Extract<NewPart, { type: 'tool-call' }>>(undefined, { type: type('tool-call'), ...newCallFields }),
    anObject<Omit<Extract<NewPart, { type: 'tool-result' }>, 'output'> & { readonly output: JSONValue }>(undefined, {
      ...resultFields,
      output: mustHave(aJson, 'Text, a JSON value, or parts'),
    }),
    anAgentCallPart,
    anObject<Extract<NewPart, { type: 'data' }>>(undefined, {
      type: type('data'),
      kind: mayHave(someText, 'Whose data it is', "'structured'"),
      data: mustHave(aJson, 'The data'),
      provider,
    }),
  ],
  { name: 'NewPart' },
) as Shape<unknown> as Shape<NewPart>

interface NestedCall {
  readonly id: string
  readonly type?: 'function'
  readonly function: Pick<NewToolCall, 'name' | 'arguments'>
}

const aNewToolCall = either([
  anObject<NewToolCall>(undefined, newCallFields),
  anObject<NestedCall>(undefined, {
    id: newCallFields.id,
    type: mayHave(oneOf(['function']), 'As OpenAI writes it'),
    function: mustHave(
      anObject<NestedCall['function']>(undefined, { name: newCallFields.name, arguments: newCallFields.arguments }),
      'Name and arguments, as OpenAI nests them',
    ),
  }),
]) as Shape<unknown> as Shape<NewToolCall>

const bodyFields = {
  parts: mayHave(orNull(aListOf(aNewPart)) as Shape<readonly NewPart[]>, 'What is said, part by part'),
  content: mayHave(
    either([aText, aListOf(aNewPart), aJsonObject, aNull]) as Shape<unknown> as Shape<NonNullable<
      NewMessage['content']
    > | null>,
    'Text, a list of parts, or an object that is stored as structured data',
  ),
  toolCalls: mayHave(aListOf(aNewToolCall), 'The tools that the assistant calls'),
  agentCalls: mayHave(
    aListOf(anObject<Omit<AgentCallPart, 'type'>>(undefined, agentCallFields)),
    'The agents that the assistant calls',
  ),
  images: mayHave(aListOf(aNewMediaSource), 'Images'),
  data: mayHave(aJson, 'Structured data beside the text'),
}

const tags: Shape<readonly string[]> = aListOf(someText)

/** A message as it is given to `append`. The parser of messages checks it. */
export const aNewMessage: Shape<NewMessage> = parsed(
  anObject<NewMessage & Stored>(
    'NewMessage',
    {
      role: mustHave(aRole, 'Who speaks'),
      ...bodyFields,
      toolCallId: mayHave(someText, 'The call that a tool message is the result of'),
      name: mayHave(aText, 'The name of the user, agent or tool'),
      tags: mayHave(tags, 'Tags to find it by'),
      metadata: mayHave(aJsonObject, 'Whatever a program wants to keep with it'),
      provider,
      incomplete: mayHave(anIncomplete, 'Set it on a reply that was stopped before its end'),
      id: mayHave(anId, 'Its id', 'a new one'),
      at: mayHave(aTimeOrNumber, 'When it was said', 'now'),
      ...maybeStored,
    },
    { what: 'field' },
  ),
) as Shape<unknown> as Shape<NewMessage>

/** What to change in a message: the names are checked here, the values by the parser of messages. */
export const aMessageRevision: Shape<Revision> = anObject<Revision>(
  'Revision',
  {
    parts: parsedField(bodyFields.parts),
    content: parsedField(bodyFields.content),
    toolCalls: parsedField(bodyFields.toolCalls),
    agentCalls: parsedField(bodyFields.agentCalls),
    images: parsedField(bodyFields.images),
    data: parsedField(bodyFields.data),
    name: parsedField(mayHave(orNull(aText), 'The name of the user, agent or tool; null removes it')),
    tags: parsedField(mayHave(orNull(tags), 'Its tags; null removes them')),
    metadata: parsedField(mayHave(orNull(aJsonObject), 'Its metadata; null removes it')),
    provider: parsedField(mayHave(orNull(providerFields), 'Fields of the provider; null removes them')),
    incomplete: parsedField(mayHave(orNull(anIncomplete), 'Whether it was stopped before its end; null for complete')),
  },
  { what: 'field' },
)

function parsedField<T>({ shape, ...field }: OptionalField<T>): OptionalField<T> {
  return { ...field, shape: parsed(shape) }
}
