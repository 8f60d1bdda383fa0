import type { Draft } from '../../domain/message.ts'
import { fitIdentifiers } from '../canonical/identifiers.ts'
import type { Writing } from '../codec.ts'

const ID_LENGTH_MAX = 64

/** The API rejects empty call ids and tool names with other characters; B7 has no rule on either, so C0 stands in. */
export function responsesIdentifiers(drafts: readonly Draft[], writing: Writing): readonly Draft[] {
  return fitIdentifiers(
    drafts,
    { idRule: 'C0', id: /^[^]+$/, idMax: ID_LENGTH_MAX, nameRule: 'C0', name: /^[a-zA-Z0-9_-]{1,128}$/ },
    writing,
  )
}
