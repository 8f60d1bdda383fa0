import { type Command, Option } from 'commander'
import { type FactState, factStates } from '../../domain/fact.ts'
import type { Moment } from '../../domain/moment.ts'
import { type CommonOptions, command, parseCount, inScope, parseMoment } from '../command.ts'
import { renderFact } from '../render/fact.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly subject?: string
  readonly predicate?: string
  readonly object?: string
  readonly tag?: string
  readonly state?: FactState
  readonly closed?: boolean
  readonly asOf?: Moment
  readonly limit?: number
  readonly after?: string
}

export function factsCommand(shell: Shell): Command {
  return command('facts', 'List what is known: facts of a scope and its ancestors', {
    group: 'Knowledge',
    of: 'scope',
    lists: true,
    examples: [
      'daybook facts --scope acme/ada --subject Ada',
      'daybook facts --scope acme/ada --closed --as-of 2026-05-01',
      'daybook facts --scope acme/ada --state quarantined --json',
    ],
  })
    .option('--subject <name>', 'about whom')
    .option('--predicate <name>', 'what about it')
    .option('--object <text>', 'the value, as text')
    .option('--tag <tag>', 'with this tag')
    .addOption(new Option('--state <state>', 'those in this state (default: current)').choices(factStates))
    .option('--closed', 'also what was true before, or will be')
    .option('--as-of <moment>', 'as it was known then: a time, or a version of the knowledge as v12', parseMoment)
    .option('--limit <n>', 'how many', parseCount)
    .option('--after <id>', 'those behind the last of the page before')
    .action(async ({ subject, predicate, object, tag, state, closed, asOf, limit, after, ...common }: Options) =>
      inScope(shell, common, async (scope) => {
        const facts = await scope.facts({
          ...(subject === undefined ? {} : { subject }),
          ...(predicate === undefined ? {} : { predicate }),
          ...(object === undefined ? {} : { object }),
          ...(tag === undefined ? {} : { tag }),
          ...(state === undefined ? {} : { state }),
          ...(closed === undefined ? {} : { includeClosed: closed }),
          ...(asOf === undefined ? {} : { asOf }),
          ...(limit === undefined ? {} : { limit }),
          ...(after === undefined ? {} : { after }),
        })
        return {
          value: { scope: scope.name, facts },
          rows: facts,
          text: (look) => (facts.length === 0 ? 'No facts.' : facts.map((fact) => renderFact(fact, look)).join('\n')),
        }
      }),
    )
}
