import { defined } from '../../domain/defined.ts'
import type { Command } from 'commander'
import type { NewFact } from '../../domain/new-fact.ts'
import { factDetails } from '../../surface/fact-shapes.ts'
import { factOperations } from '../../surface/facts.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { parseDocuments, readInput, valueOrStdin } from '../read-input.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

const { validFrom, validTo, confidence, tags } = factDetails
const details = { validFrom, validTo, confidence, tags }

type Options = CommonOptions & {
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  readonly entity?: string
  readonly input?: string
}

export function rememberCommand(shell: Shell): Command {
  const { remember } = factOperations
  const made = command('remember', 'Store a fact: a sentence, or subject, predicate and object', {
    group: 'Knowledge',
    of: 'scope',
    creates: true,
    lists: true,
    examples: [
      'daybook remember --scope acme/ada "Ada prefers email"',
      'daybook remember --scope acme/ada --subject Ada --predicate "works at" --entity Acme --valid-from 2026-05-01',
      'daybook remember --scope acme/ada --input facts.jsonl',
    ],
  })
  return withOptions(made, { ...optionFields(remember), ...details })
    .argument('[text]', 'a sentence; - reads it from standard input')
    .option('--subject <name>', 'the person or thing it is about')
    .option('--predicate <name>', 'the relation, for example "works at"')
    .option('--object <text>', 'the value, as text')
    .option('--entity <name>', 'the value, as a node of the graph')
    .option('--input <file>', 'facts as JSON, one document or one per line; - reads standard input')
    .action(async (text: string | undefined, options: Options) => {
      const facts = await factsOf(shell, text, options)
      await inScope(shell, options, async (scope) => {
        const stored = await scope.remember(facts, givenOf(optionFields(remember), options))
        return {
          value: { scope: scope.name, facts: stored },
          rows: stored,
          text: (look) =>
            stored
              .map((fact) => {
                const closed = fact.closed.length === 0 ? '' : `, closed ${fact.closed.join(', ')}`
                return `${look.paint('green', fact.outcome)}${closed}: ${renderFact(fact, look)}`
              })
              .join('\n'),
        }
      })
    })
}

async function factsOf(shell: Shell, text: string | undefined, options: Options): Promise<readonly NewFact[]> {
  const { subject, predicate, object, entity, input } = options
  const triple = predicate !== undefined || object !== undefined || entity !== undefined
  if ([text !== undefined, input !== undefined, triple].filter(Boolean).length !== 1)
    throw new CommandError(
      'usage',
      'Cannot remember: expected a sentence, or --subject, --predicate and --object (or --entity), or --input <file>',
    )
  // The library checks what they are.
  if (input !== undefined) return parseDocuments(await readInput(shell, input)) as readonly NewFact[]
  const given = givenOf(details, options)
  if (text !== undefined) return [{ text: await valueOrStdin(shell, text), ...defined({ subject }), ...given }]
  if (subject === undefined || predicate === undefined || (object === undefined) === (entity === undefined))
    throw new CommandError(
      'usage',
      'Cannot remember: expected --subject, --predicate and either --object or --entity together',
    )
  return [{ subject, predicate, object: entity === undefined ? (object ?? '') : { entity }, ...given }]
}
