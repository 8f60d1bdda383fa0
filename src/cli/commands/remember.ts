import type { Command } from 'commander'
import type { NewFact } from '../../domain/new-fact.ts'
import { factOperations } from '../../surface/facts.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { type CommonOptions, parseAmount, command, inScope, parseList } from '../command.ts'
import { CommandError } from '../exit-status.ts'
import { parseDocuments, readInput, valueOrStdin } from '../read-input.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  readonly entity?: string
  readonly validFrom?: string
  readonly validTo?: string
  readonly confidence?: number
  readonly tag?: readonly string[]
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
  return withOptions(made, optionFields(remember))
    .argument('[text]', 'a sentence; - reads it from the pipe')
    .option('--subject <name>', 'whom or what it is about')
    .option('--predicate <name>', 'what is said of it')
    .option('--object <text>', 'the value, as text')
    .option('--entity <name>', 'the value, as a thing of its own in the graph')
    .option('--valid-from <time>', 'when it began to be true')
    .option('--valid-to <time>', 'when it ceased to be true')
    .option('--confidence <number>', 'from 0 to 1', parseAmount)
    .option('--tag <tag>', 'a tag; several times, or with commas', parseList)
    .option('--input <file>', 'facts as JSON, one document or one a line; - reads the pipe')
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
  const details = detailsOf(options)
  if (text !== undefined)
    return [{ text: await valueOrStdin(shell, text), ...(subject === undefined ? {} : { subject }), ...details }]
  if (subject === undefined || predicate === undefined || (object === undefined) === (entity === undefined))
    throw new CommandError(
      'usage',
      'Cannot remember: expected --subject, --predicate and either --object or --entity together',
    )
  return [{ subject, predicate, object: entity === undefined ? (object ?? '') : { entity }, ...details }]
}

function detailsOf({
  validFrom,
  validTo,
  confidence,
  tag,
}: Options): Pick<Exclude<NewFact, string>, 'validFrom' | 'validTo' | 'confidence' | 'tags'> {
  return {
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(tag === undefined ? {} : { tags: tag }),
  }
}
