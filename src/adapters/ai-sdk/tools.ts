import { defined } from '../../domain/defined.ts'
import { type ToolSet, jsonSchema, tool } from 'ai'
import type { Scope } from '../../api/scope.ts'
import { anObject, mayHave } from '../../shape/object.ts'
import type { Shape } from '../../shape/shape.ts'
import { aCount, aFlag, anId } from '../../shape/values.ts'
import { longTermMemory } from '../../tools/long-term-memory.ts'
import { inWords } from '../../tools/in-words.ts'
import { factsTool } from '../../tools/reading-tools.ts'
import { checkScopeHandle } from '../../domain/check-scope-handle.ts'

/** What the tools of a memory may do. */
export interface MemoryToolsOptions {
  /** The conversation that `search_history` and `reopen` look into. @default those two tools are left out */
  readonly session?: string
  /** How many tokens a look-up may return. @default 1,000 */
  readonly recallBudget?: number
  /** Adds a scratchpad in the session: `add_note`, `list_notes`, `update_note`, `finish_note`. @default false */
  readonly notes?: boolean
  /** Also offers `forget`, by which the model destroys what is remembered, without asking anybody. @default false */
  readonly allowDestroy?: boolean
}

const OPTIONS: Shape<MemoryToolsOptions> = anObject<MemoryToolsOptions>(undefined, {
  session: mayHave(anId, 'The conversation that `search_history` and `reopen` read', 'those two tools are left out'),
  recallBudget: mayHave(aCount, 'How many tokens a look-up may return', '1,000'),
  notes: mayHave(aFlag, 'Adds a scratchpad in the session', 'false'),
  allowDestroy: mayHave(aFlag, 'Also offers `forget`', 'false'),
})

const OF_A_SESSION: readonly string[] = ['search_history', 'reopen']

/**
 * The tools by which a model uses its memory, for `generateText({ tools: tools(scope) })`: record, retrieve, list and
 * retract, and with a session also search and reopen.
 *
 * @example
 * import { openMemory } from 'daybook'
 * import { tools } from 'daybook/ai-sdk'
 * await using memory = await openMemory(':memory:')
 * console.log(Object.keys(tools(memory.scope('acme/ada'))))
 */
export function tools(scope: Scope, options: MemoryToolsOptions = {}): ToolSet {
  const attempt = 'make tools'
  OPTIONS.check(attempt, '', options)
  checkScopeHandle(attempt, scope)
  const { session, recallBudget, notes = false, allowDestroy = false } = options
  const memory = longTermMemory(scope, {
    session: session ?? 'none',
    mode: 'agent',
    notes: notes && session !== undefined,
    allowDestroy,
    ...defined({ budget: recallBudget }),
  })
  const made = [...memory.tools(), inWords(factsTool({ scope }))]
    .filter(({ name }) => session !== undefined || !OF_A_SESSION.includes(name))
    .map(({ name, description, inputSchema, execute }) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema), execute: (input) => execute(input) }),
    ])
  return Object.fromEntries(made) as ToolSet
}
