import type { Draft, Message } from '../domain/message.ts'
import { type Trust, trustOfMessage } from '../domain/trust.ts'
import type { Fact } from '../domain/fact.ts'
import { NOTE } from '../domain/new-fact.ts'
import { normalForm } from '../domain/normal-form.ts'
import type { Scope } from '../api/scope.ts'
import { renderLongTermMemory } from '../recall/block/render-long-term-memory.ts'
import { contextOperations } from '../surface/contexts.ts'
import { factOperations } from '../surface/facts.ts'
import { inputFrom } from './input-from.ts'
import { namesIt } from './names-it.ts'
import { NOTHING_SAID } from './nothing-said.ts'
import { textOf } from '../domain/text-of.ts'
import type { Tool } from '../api/tool.ts'
import { countField, textField } from './tool-input.ts'

const FACTS_DEFAULT = 50
const FACTS_MAX = 500
const NOTES_MAX = 1_000

export interface ReadingToolOptions {
  readonly scope: Scope
  readonly session: string
  /** Tokens that a reading may bring. */
  readonly budget: number
}

/** For an agent whose host does not build its contexts from the memory: to look at what is known and what was said. */
export function readingTools(options: ReadingToolOptions): readonly Tool[] {
  return [factsTool(options), contextTool(options)]
}

/** Lists what is known. */
export function factsTool({ scope }: Pick<ReadingToolOptions, 'scope'>): Tool {
  return {
    name: 'list_facts',
    description: 'List what is known, all of it or about one subject, with the ids that retract takes.',
    inputSchema: inputFrom(factOperations.list, ['subject', 'predicate', 'limit'], { limit: { maximum: FACTS_MAX } }),
    async execute(input) {
      const [subject, predicate] = [textField(input, 'subject'), textField(input, 'predicate')]
      const limit = Math.min(Math.max(countField(input, 'limit') ?? FACTS_DEFAULT, 1), FACTS_MAX)
      const about = await scope.facts({
        ...(subject === '' ? {} : { subject }),
        ...(predicate === '' ? {} : { predicate }),
        limit,
      })
      const notes = subject === '' || (predicate !== '' && predicate !== NOTE) ? [] : await notesNaming(scope, subject)
      const facts = [...about, ...notes].slice(0, limit)
      const items = facts.map(({ id, learnedAt, trust, text: said, scope: kept }) => {
        return { id, at: learnedAt, trust, speaker: `fact of ${kept}`, text: said }
      })
      return items.length === 0 ? 'Nothing is known about that.' : renderLongTermMemory(items)
    },
  }
}

/** Notes without a subject that name one: `record_to_memory` stores sentences. Only the newest notes are searched. */
async function notesNaming(scope: Scope, subject: string): Promise<readonly Fact[]> {
  const notes = await scope.facts({ predicate: NOTE, limit: NOTES_MAX })
  const wanted = normalForm(subject)
  return notes.filter((note) => note.subject === null && namesIt(normalForm(note.text), wanted))
}

function contextTool({ scope, session, budget }: ReadingToolOptions): Tool {
  return {
    name: 'read_context',
    description: 'Read what this conversation is about so far: summaries of the older part, then the newest messages.',
    inputSchema: { ...inputFrom(contextOperations.build, ['budget']), required: [] },
    async execute(input) {
      const { messages } = await scope
        .session(session)
        .context({ budget: Math.min(countField(input, 'budget') ?? budget, budget) })
      const items = messages.map((message, index) => ({
        id: message.id ?? String(index + 1),
        at: message.at ?? '',
        trust: trustOf(message),
        speaker: message.name ?? message.role,
        text: textOf(message) || JSON.stringify(message.parts),
      }))
      return items.length === 0 ? NOTHING_SAID : renderLongTermMemory(items)
    },
  }
}

/** A summary speaks for whatever it hides, tools and imports too: only what the log itself vouches for is trusted by its speaker. */
function trustOf(message: Draft & Partial<Pick<Message, 'seq' | 'imported'>>): Trust {
  return message.seq === undefined ? 0 : trustOfMessage(message)
}
