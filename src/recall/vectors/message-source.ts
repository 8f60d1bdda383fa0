import { scan } from '../../log/scan.ts'
import { openView } from '../../log/view.ts'
import type { LogStore } from '../../ports/log-store.ts'
import type { RecallStore } from '../../ports/recall-store.ts'
import { recallText } from '../message-text.ts'
import { threadOf } from '../place.ts'
import type { EmbeddableText, PassageSource } from './passage-source.ts'

/** A message as vectors know it: its thread in the index and its position. */
export function vectorKey(thread: number, seq: number): string {
  return `${thread}:${seq}`
}

/** The session and the position behind a key. */
export function readVectorKey(key: string): { readonly session: number; readonly seq: number } {
  const [thread = 0, seq = 0] = key.split(':').map(Number)
  return { session: Math.floor(thread / threadOf('message', 1)), seq }
}

const GONE = { text: '', isOriginal: false } as const

/** Messages in the order in which they were indexed, with their text from the log. One that is gone has none. */
export function messageSource(log: LogStore, recall: RecallStore): PassageSource {
  return {
    scopes: ({ after = '', limit }) => recall.scopes({ after, limit }),
    passages: async (scope, page) => {
      const posted = await recall.posted(scope, page)
      const passages = []
      for (const { number, key } of posted)
        passages.push({ key, position: number, ...(await textOf(log, recall, scope, key)) })
      return passages
    },
  }
}

async function textOf(
  log: LogStore,
  recall: RecallStore,
  scope: string,
  key: string,
): Promise<Pick<EmbeddableText, 'text' | 'isOriginal'>> {
  const { session: number, seq } = readVectorKey(key)
  const [thread] = await recall.threads([scope], [threadOf('message', number)])
  const session = thread?.session ?? undefined
  const view = session === undefined ? undefined : await openView(log, { scope, session })
  if (view === undefined) return GONE
  const one = { from: seq, through: seq, newestFirst: false, withRemoved: false, hint: 1 }
  for await (const message of scan(log, view, one))
    return { text: recallText(message).text, isOriginal: message.revision === 0 }
  return GONE
}
