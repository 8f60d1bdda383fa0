import { lowestTrust, trustOfMessage } from '../domain/trust.ts'
import { fitBlock } from '../recall/block/fit-block.ts'
import { shownItem } from '../recall/block/shown-item.ts'
import { withinTokens } from '../recall/block/within-tokens.ts'
import { fromMessage } from './items.ts'
import type { LongTermScope, RecallBehind } from './long-term-scope.ts'
import { recallKeywords } from './recall-keywords.ts'
import { retractTool } from './retract-tool.ts'
import { searchTool } from './search-tool.ts'
import { renderLongTermMemory } from '../recall/block/render-long-term-memory.ts'
import { contextOperations } from '../surface/contexts.ts'
import { factOperations } from '../surface/facts.ts'
import { inputFrom } from './input-from.ts'
import { inWords } from './in-words.ts'
import { listSchema, objectSchema } from './input-schema.ts'
import type { Tool } from '../api/tool.ts'
import { countField, textField, textFields } from './tool-input.ts'
import { visibleJSON } from '../domain/visible-json.ts'

/** Session and position of a message; without a session, of this conversation. */
const PLACE = /^([^]*)#([1-9]\d{0,14})$/

export interface MemoryToolOptions {
  readonly scope: LongTermScope
  /** The session that `search_history` and `reopen` look into. */
  readonly session: string
  /** Tokens that a retrieval may bring. */
  readonly budget: number
  /** Whether to offer `forget`, which destroys. */
  readonly allowDestroy: boolean
}

/** The tools an agent gets to use its memory by itself. */
export function memoryTools(terms: MemoryToolOptions): readonly Tool[] {
  return throwingMemoryTools(terms).map(inWords)
}

/** The same for hosts that report errors to an agent in their own way. */
export function throwingMemoryTools(terms: MemoryToolOptions): readonly Tool[] {
  const tools = [recordTool(terms), retrieveTool(terms), reopenTool(terms), searchTool(terms), retractTool(terms)]
  return terms.allowDestroy ? [...tools, forgetTool(terms)] : tools
}

function recordTool({ scope }: MemoryToolOptions): Tool {
  return {
    name: 'record_to_memory',
    description:
      'Remember something for later conversations: preferences, facts about people and things, decisions, lessons. Write each note so that it can be understood on its own. Do not record what is only needed now.',
    inputSchema: objectSchema(
      {
        thinking: { type: 'string', description: 'Why this is worth remembering. Not stored.' },
        content: { ...listSchema, description: 'The notes, one fact each.' },
      },
      ['thinking', 'content'],
    ),
    async execute(input) {
      const notes = textFields(input, 'content')
      if (notes.length === 0) return 'Nothing was recorded: content is empty, expected at least one note.'
      const facts = await scope.remember(
        notes.map((note) => ({ text: note })),
        { channel: 'agent' },
      )
      const lines = facts.map(({ id, text: kept }) => visibleJSON({ id, text: kept }))
      return [`Recorded ${facts.length} of ${notes.length}:`, ...lines].join('\n')
    },
  }
}

function retrieveTool({ scope, budget }: MemoryToolOptions): Tool {
  return {
    name: 'retrieve_from_memory',
    description: 'Look up what is known from earlier conversations, by words that may occur in it.',
    inputSchema: objectSchema(
      {
        keywords: {
          ...listSchema,
          description: 'Names, things and other specific words. Each is searched separately, so try several spellings.',
        },
      },
      ['keywords'],
    ),
    async execute(input) {
      const keywords = textFields(input, 'keywords')
      if (keywords.length === 0) return 'Nothing was looked up: keywords is empty, expected at least one.'
      const { items, behind } = await recallKeywords(scope, keywords, budget)
      const { text: found } = await fitBlock(items, shownItem, { fits: (block) => withinTokens(block, budget) })
      if (found !== '') return found
      const nothing = `Nothing was found for ${visibleJSON(keywords)}.`
      // Otherwise an agent would take it that nothing is known.
      return behind === undefined ? nothing : `${nothing} ${lagText(behind)}`
    },
  }
}

function lagText({ messages, facts = 0 }: RecallBehind): string {
  const missing = [...(messages > 0 ? [`${messages} messages`] : []), ...(facts > 0 ? [`${facts} facts`] : [])].join(
    ' and ',
  )
  return `${missing === '' ? 'Some of it is' : `${missing} are`} not indexed yet: look again in a moment.`
}

function reopenTool({ scope, session }: MemoryToolOptions): Tool {
  return {
    name: 'reopen',
    description:
      'Read the original messages behind a summary or a shortened message of this conversation, or one recalled message in full, by the id that is shown with it.',
    inputSchema: inputFrom(contextOperations.reopen, ['fold', 'offset']),
    async execute(input) {
      // What is shown is called an id, so agents write that too.
      const fold = textField(input, 'fold') || textField(input, 'id')
      if (fold === '') return 'Nothing was reopened: fold is empty, expected an id.'
      const offset = countField(input, 'offset') ?? 0
      const place = PLACE.exec(fold)
      if (place !== null) return reopenMessage({ scope, session: place[1] || session, seq: Number(place[2]) })
      const page = await scope.session(session).reopen(fold, { offset })
      const [first] = page.touches
      if (first === undefined) return `There is nothing at ${offset}: it has ${page.total} characters.`
      const item = {
        id: fold,
        speaker: page.touches.every(({ role }) => role === first.role) ? first.role : 'several',
        at: first.at,
        trust: lowestTrust(page.touches.map(trustOfMessage)),
        text: page.text,
      }
      // A page is as long as whoever made it wanted.
      const block = renderLongTermMemory([item], { itemCharactersMax: Infinity, levelCharactersMax: Infinity })
      return page.next === null ? block : `${block}\nContinues at offset ${page.next} of ${page.total}.`
    },
  }
}

/** One message by its place, as recalled blocks name it. */
async function reopenMessage({
  scope,
  session,
  seq,
}: Pick<MemoryToolOptions, 'scope' | 'session'> & { readonly seq: number }): Promise<string> {
  const [message] = await scope.session(session).history({ after: seq - 1, limit: 1 })
  if (message?.seq !== seq) return `There is no message ${seq} in session ${visibleJSON(session)}.`
  return renderLongTermMemory([fromMessage(message, session)], {
    itemCharactersMax: Infinity,
    levelCharactersMax: Infinity,
  })
}

function forgetTool({ scope }: MemoryToolOptions): Tool {
  return {
    name: 'forget',
    description:
      'Permanently destroy something remembered: one fact by its id, or everything about a subject. Only when the user asks for it.',
    inputSchema: inputFrom(factOperations.forget, ['fact', 'subject']),
    async execute(input) {
      const [fact, subject] = [textField(input, 'fact'), textField(input, 'subject')]
      if ((fact === '') === (subject === ''))
        return 'Nothing was forgotten: expected either fact or subject, and not both.'
      const receipt = await scope.forget(fact === '' ? { subject } : { fact })
      if (isNothing(receipt)) return `Nothing was forgotten: no fact is about ${JSON.stringify(subject)}.`
      return `Forgotten: ${visibleJSON(receipt ?? (fact === '' ? subject : fact))}`
    },
  }
}

/** A receipt which says that there was nothing; other memories than ours may return anything. */
function isNothing(receipt: unknown): boolean {
  return typeof receipt === 'object' && receipt !== null && 'found' in receipt && receipt.found === false
}
