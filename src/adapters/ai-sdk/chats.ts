import type { UIMessage } from 'ai'
import type { Scope } from '../../api/scope.ts'
import type { Synced } from '../../api/changes.ts'
import { convert } from '../../dialects/convert.ts'
import { checkOptions } from '../../domain/check-options.ts'
import { checkId } from '../../domain/names.ts'
import { refuse } from '../../domain/refuse.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'

/** What to save of a chat: all of its messages, or the newest one alone. */
export type SavedChat =
  | { readonly chatId: string; readonly messages: readonly UIMessage[] }
  | { readonly chatId: string; readonly message: UIMessage }

/**
 * Reads a chat as UI messages, oldest first; empty if there is none. Replies that only the middleware stored are among them.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { loadChat } from 'daybook/ai-sdk'
 * await using memory = await openMemory(':memory:')
 * console.log(await loadChat(memory.scope('acme/ada'), 'support-42'))
 */
export async function loadChat<Message extends UIMessage = UIMessage>(
  scope: Scope,
  chatId: string,
): Promise<Message[]> {
  checkScopeHandle('load a chat', scope)
  checkId('load a chat', 'chatId', chatId)
  const session = scope.session(chatId)
  const live = (await session.history()).filter(({ removed, role }) => removed !== true && role !== 'system')
  if (live.length === 0) return []
  const blobs = await session.blobs(live)
  return convert(live, { from: 'daybook', to: 'ai-sdk-ui', blobs }) as unknown as Message[]
}

/**
 * Saves a chat as the user interface has it. Give all messages, in `onEnd` of `toUIMessageStream` for example: what was regenerated or
 * edited replaces what was there, and saving twice changes nothing. Give one `message` to add or update it and leave the others.
 */
export async function saveChat(scope: Scope, chat: SavedChat): Promise<Synced> {
  const attempt = 'save a chat'
  checkScopeHandle(attempt, scope)
  checkOptions(attempt, chat, ['chatId', 'messages', 'message'])
  checkId(attempt, 'chatId', chat.chatId)
  const session = scope.session(chat.chatId)
  if ('message' in chat) {
    const { message } = chat
    const all = await loadChat(scope, chat.chatId)
    const at = all.findIndex(({ id }) => id === message.id)
    return session.sync(at < 0 ? [message] : [message, ...all.slice(at + 1)], { dialect: 'ai-sdk-ui' })
  }
  if (!Array.isArray(chat.messages)) refuse(attempt, 'messages', chat.messages, 'an array of UI messages')
  return session.sync(chat.messages, { dialect: 'ai-sdk-ui' })
}
