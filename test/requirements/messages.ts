/** What we promise about messages and the dialects of providers. */
export const messagesPromises: readonly (readonly [id: string, sentence: string])[] = [
  [
    'msg-1',
    "Messages are plain, readonly data. Every field of a provider's part, opaque ones included, is stored without loss.",
  ],
  ['msg-2', '`content: "text"` is short for one text part.'],
  ['msg-3', 'A message has a name, tags, metadata, structured data, tool calls, agent calls and `toolCallId`.'],
  ['msg-4', 'Old tool content of the form `{"tool_call_id": …, "output": …}` is understood.'],
  [
    'msg-5',
    'A tool result without its call is stored and reported as a warning; contexts show it as text or leave it out with the reason in the receipt.',
  ],
  ['msg-6', '`strict: true` refuses a tool result without its call.'],
  ['msg-7', 'Ids are UUIDv7 unless given.'],
  ['msg-8', 'A missing time is set and a given one is kept. Order is by sequence number, never by clock.'],
  [
    'msg-9',
    'Images and files come as a path, URL, data URL or bytes, are stored once by content, and a path is read only inside allowed directories.',
  ],
  ['msg-10', 'A missing or unreadable file is an error at append.'],
  ['msg-11', '`lint`, `repair` and `convert` are pure functions for seven dialects, and each rule has an id.'],
  ['msg-12', 'Repairing anything gives a valid transcript, and repairing a valid one changes nothing.'],
  ['msg-13', 'A round trip through a dialect keeps what that dialect can express; the log keeps the rest.'],
  ['msg-14', "The requests we write equal those that the AI SDK's own providers write."],
  ['msg-15', '`extractAction(message)` returns the next action of an assistant message.'],
]
