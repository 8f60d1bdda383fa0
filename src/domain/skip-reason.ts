/** Why something is not imported, or only in part. */
export const skipReasons = [
  'not-json', // it is not JSON
  'torn', // it ends in the middle: a file that was cut, a line that was not finished
  'nul-bytes', // what a crash leaves where something should have been written
  'too-large', // over a limit
  'too-deep', // nested more deeply than any real document
  'unpacks-too-large', // an entry of a zip that is a bomb, or is not what the zip says
  'unreadable', // the file could not be read
  'unknown-format', // JSON of an unknown format
  'not-a-message', // of a known format, but nothing that was said: settings, snapshots, history
  'wrong-type', // of a known format, with a value that is not possible there
  'no-content', // it is empty
  'hidden', // never shown in the conversation: what a program put in for itself
  'do-not-remember', // its owner asked that it is not remembered
  'duplicate-id', // the second of two with the same id
  'cycle', // a message that replies to itself, through others
  'attachment-missing', // named, but not in the file; the message is imported without it
  'stored-otherwise', // stored here under the same id with other content, which stays
  'forgotten', // forgotten here: an import does not bring it back
  'session-taken', // the session with this id is another conversation: an import does not write into it
] as const

export type SkipReason = (typeof skipReasons)[number]
