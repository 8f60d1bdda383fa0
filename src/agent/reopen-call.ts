import type { Session } from '../api/session.ts'
import type { TurnTool } from '../api/turn.ts'

/** Lets a model read what its context only shows in part, or as a summary: there it is named with this tool's name and an id. */
export function reopenCall(session: Session): TurnTool {
  return {
    name: 'reopen',
    description:
      'Read the original messages behind a summary or a shortened message of this conversation, by the id that is shown with it.',
    inputSchema: {
      type: 'object',
      properties: {
        fold: { type: 'string', description: 'The id, for example message-3' },
        offset: { type: 'integer', description: 'Where to go on, in characters' },
      },
      required: ['fold'],
    },
    execute: async (input) => {
      // What is shown is called an id, so models write that too.
      const {
        id = '',
        fold = id,
        offset,
      } = input as { readonly fold?: string; readonly id?: string; readonly offset?: number }
      const { text, next, total } = await session.reopen(fold, offset === undefined ? {} : { offset })
      return next === null ? text : `${text}\nContinues at offset ${next} of ${total}.`
    },
  }
}
