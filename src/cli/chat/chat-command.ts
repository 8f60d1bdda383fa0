import { MemoryError } from '../../domain/error.ts'
import { lookOf } from '../look.ts'
import { renderContext } from '../render/context.ts'
import { renderFact } from '../render/fact.ts'
import { renderRecalled } from '../render/recall.ts'
import type { ChatOptions } from './chat.ts'

const help = `/context       what the model would be sent now
/facts         what is known
/recall words  what earlier conversations say about them
/undo          undo the last compaction
/quit          end; the conversation is kept`

/** What a line that begins with a slash answers. It is not part of the conversation. */
export async function chatCommand(settings: ChatOptions, line: string): Promise<string> {
  const { scope, session, shell, budget, mode } = settings
  const look = lookOf(shell.stderr, shell.env)
  const [name = '', ...words] = line.split(/\s+/)
  try {
    switch (name) {
      case '/context':
        return renderContext(
          await session.context({ budget, reserve: Math.floor(budget / 4), recall: mode !== 'agent' }),
          {
            ...look,
            full: false,
          },
        )
      case '/facts': {
        const facts = await scope.facts()
        return facts.length === 0 ? 'No facts.' : facts.map((fact) => renderFact(fact, look)).join('\n')
      }
      case '/recall':
        return renderRecalled(await scope.recall(words.join(' ')), look)
      case '/undo': {
        const last = (await session.compactions()).find(({ undone }) => !undone)
        return `Undid compaction ${(await session.undo(last?.compaction)).join(', ')}`
      }
      case '/help':
        return help
      default:
        return `There is no ${name}.\n${help}`
    }
  } catch (error) {
    if (MemoryError.is(error)) return look.paint('red', error.message)
    throw error
  }
}
