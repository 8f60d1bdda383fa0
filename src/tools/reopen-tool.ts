import type { Tool } from '../api/tool.ts'
import { MemoryError } from '../domain/error.ts'
import { lowestTrust, trustOfMessage } from '../domain/trust.ts'
import { visibleJSON } from '../domain/visible-json.ts'
import { renderLongTermMemory } from '../recall/block/render-long-term-memory.ts'
import { contextOperations } from '../surface/contexts.ts'
import { inputFrom } from './input-from.ts'
import type { LongTermSession } from './long-term-scope.ts'
import { countField, textField } from './tool-input.ts'

/** An id of recalled text: a session, or nothing for this one, and the number of a message or the id of a fold. */
const RECALLED = /^([^]*)#(?:([1-9]\d{0,14})|([^#]+))$/

/**
 * Lets a model read what its context shows in part, as a summary or as a recalled line: there it has an id. What is read is quoted by its
 * trust, like recalled text.
 *
 * @param own The id of the conversation that the model is in.
 * @param sessionOf Opens a conversation of the same scope.
 */
export function reopenTool(own: string, sessionOf: (id: string) => Pick<LongTermSession, 'reopen'>): Tool {
  return {
    name: 'reopen',
    description:
      'Read the original messages behind a summary or a shortened message of this conversation, or one recalled message in full, by the id that is shown with it.',
    inputSchema: inputFrom(contextOperations.reopen, ['fold', 'offset']),
    async execute(input) {
      // What is shown is called an id, so models write that too.
      const id = textField(input, 'fold') || textField(input, 'id')
      if (id === '') return 'Nothing was reopened: fold is empty, expected an id.'
      const offset = countField(input, 'offset') ?? 0
      const [, session = '', seq, fold = id] = RECALLED.exec(id) ?? []
      const from = session || own
      const page = await sessionOf(from)
        .reopen(seq === undefined ? fold : `message-${seq}`, { offset })
        .catch((error: unknown) => {
          if (seq === undefined || !MemoryError.is(error, 'context/not-found')) throw error
          return `There is no message ${seq} in session ${visibleJSON(from)}.`
        })
      if (typeof page === 'string') return page
      const [first] = page.touches
      if (first === undefined) return `There is nothing at ${offset}: it has ${page.total} characters.`
      const item = {
        id,
        speaker: page.touches.every(({ role }) => role === first.role) ? first.role : 'several',
        at: first.at,
        trust: lowestTrust(page.touches.map(trustOfMessage)),
        text: page.text,
      }
      // A page is as long as the caller of `reopen` wanted.
      const block = renderLongTermMemory([item], { itemCharactersMax: Infinity, levelCharactersMax: Infinity })
      return page.next === null ? block : `${block}\nContinues at offset ${page.next} of ${page.total}.`
    },
  }
}
