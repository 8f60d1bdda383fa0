import { fitBlock } from '../recall/block/fit-block.ts'
import { shownItem } from '../recall/block/shown-item.ts'
import { withinTokens } from '../recall/block/within-tokens.ts'
import type { LongTermScope, RecallBehind } from './long-term-scope.ts'
import { recallKeywords } from './recall-keywords.ts'
import { reopenTool } from './reopen-tool.ts'
import { retractTool } from './retract-tool.ts'
import { searchTool } from './search-tool.ts'
import { factOperations } from '../surface/facts.ts'
import { inputFrom } from './input-from.ts'
import { inWords } from './in-words.ts'
import { listSchema, objectSchema } from './input-schema.ts'
import type { Tool } from '../api/tool.ts'
import { textField, textFields } from './tool-input.ts'
import { visibleJSON } from '../domain/visible-json.ts'

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
export function memoryTools(options: MemoryToolOptions): readonly Tool[] {
  return throwingMemoryTools(options).map(inWords)
}

/** The same for hosts that report errors to an agent in their own way. */
export function throwingMemoryTools(options: MemoryToolOptions): readonly Tool[] {
  const { scope, session, allowDestroy } = options
  const reopen = reopenTool(session, (id) => scope.session(id))
  const tools = [recordTool(options), retrieveTool(options), reopen, searchTool(options), retractTool(options)]
  return allowDestroy ? [...tools, forgetTool(options)] : tools
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
