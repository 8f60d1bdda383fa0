import type { JSONObject } from '../../domain/json.ts'
import type { Draft } from '../../domain/message.ts'
import type { NewMessage } from '../../domain/new-message.ts'
import { saysSomething } from '../../domain/parse-message.ts'

/** An entry of a host's transcript as the log keeps it. */
export interface KeptEntry {
  /** What it says. The first message has the entry itself beside its parts; results of tools may be messages of their own. */
  readonly messages: readonly [NewMessage & { readonly id: string }, ...NewMessage[]]
  /** The entry alone, for what the log does not take as a message. */
  readonly bare: NewMessage & { readonly id: string }
}

/** Makes messages of an entry: what it says, and the entry itself under the name of the host. */
export function keptEntry(
  host: string,
  { id, entry, drafts }: { readonly id: string; readonly entry: JSONObject; readonly drafts: readonly Draft[] },
): KeptEntry {
  const provider = { [`wire:${host}`]: { entry } }
  const bare = {
    role: 'assistant',
    parts: [{ type: 'data', kind: `${host}:entry`, data: { id } }],
    id,
    provider,
  } as const
  const said = drafts
    .map((draft) => ({ ...draft, parts: draft.parts.filter(saysSomething) }))
    .filter(({ parts }) => parts.length > 0)
  const [first, ...others] = said
  if (first === undefined) return { messages: [bare], bare }
  return {
    messages: [
      { ...first, id, provider: { ...first.provider, ...provider } },
      ...others.map((draft, at) => ({ ...draft, id: `${id}#${at + 1}` })),
    ],
    bare,
  }
}
