import type { Command } from 'commander'
import type { Fact } from '../../domain/fact.ts'
import type { Moment } from '../../domain/moment.ts'
import type { Path } from '../../knowledge/path.ts'
import type { Scope } from '../../memory/scope.ts'
import type { Answer } from '../answer.ts'
import { type CommonOptions, command, count, inScope, moment } from '../command.ts'
import type { Look } from '../look.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { oneLine, visibleJSON } from '../visible.ts'

type Options = CommonOptions & { readonly to?: string; readonly depth?: number; readonly asOf?: Moment }

export function graphCommand(shell: Shell): Command {
  return command('graph', 'Show what is known around somebody or something, or the way from one to another', {
    group: 'Knowledge',
    of: 'scope',
    examples: ['daybook graph --scope acme/ada Ada --depth 2', 'daybook graph --scope acme/ada Ada --to Acme'],
  })
    .argument('<name>', 'where to start')
    .option('--to <name>', 'show the shortest way there instead')
    .option('--depth <n>', 'how many relations away (default: 1, of a way 6)', count)
    .option('--as-of <moment>', 'as it was known then: a time, or a version of the knowledge as v12', moment)
    .action(async (name: string, options: Options) =>
      inScope(shell, options, (scope) =>
        options.to === undefined ? around(scope, name, options) : way(scope, name, options),
      ),
    )
}

async function around(scope: Scope, name: string, { depth, asOf }: Options): Promise<Answer> {
  const graph = await scope.graph({
    around: name,
    ...(depth === undefined ? {} : { depth }),
    ...(asOf === undefined ? {} : { asOf }),
  })
  return {
    value: { scope: scope.name, around: name, ...graph },
    text: (look) =>
      graph.entities.length === 0
        ? `Nothing is known of ${JSON.stringify(name)}.`
        : [
            ...graph.entities.map(({ name: entity, type, aliases }) => {
              const also = aliases.length === 0 ? '' : ` (also ${aliases.map(oneLine).join(', ')})`
              return `${look.paint('bold', oneLine(entity))}${type === null ? '' : ` ${look.paint('dim', oneLine(type))}`}${also}`
            }),
            '',
            ...graph.facts.map((fact) => edge(fact, look)),
            ...(graph.truncated ? ['There is more: narrow the depth.'] : []),
          ].join('\n'),
  }
}

async function way(scope: Scope, name: string, { to = '', depth, asOf }: Options): Promise<Answer> {
  const path = await scope.path(name, to, {
    ...(asOf === undefined ? {} : { asOf }),
    ...(depth === undefined ? {} : { maxDepth: depth }),
  })
  return { value: { scope: scope.name, from: name, to, ...path }, text: (look) => renderWay(path, look) }
}

function renderWay({ found, facts, complete }: Path, look: Look): string {
  if (!found) return complete ? 'There is no way.' : 'No way was found; not everything was looked at.'
  return [...facts.map((fact) => edge(fact, look)), look.paint('dim', counted(facts.length, 'step'))].join('\n')
}

function edge(fact: Fact, look: Look): string {
  const object =
    typeof fact.object === 'object' && 'entity' in fact.object
      ? look.paint('bold', oneLine(fact.object.entity))
      : typeof fact.object === 'string'
        ? oneLine(fact.object)
        : visibleJSON(fact.object)
  return `${fact.subject === null ? '·' : look.paint('bold', oneLine(fact.subject))} ${look.paint('cyan', `—${oneLine(fact.predicate)}→`)} ${object}`
}
