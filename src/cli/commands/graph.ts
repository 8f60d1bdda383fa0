import type { Command } from 'commander'
import type { Fact } from '../../domain/fact.ts'
import type { GraphPath } from '../../api/graph.ts'
import type { Scope } from '../../api/scope.ts'
import type { CommandResult } from '../command-result.ts'
import { graphOperations } from '../../surface/graph.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import type { Look } from '../look.ts'
import { counted } from '../render/layout.ts'
import type { Shell } from '../shell.ts'
import { terminalLine, terminalJSON } from '../visible.ts'

const { around: _name, ...fields } = optionFields(graphOperations.around)

type Options = CommonOptions & { readonly to?: string }

export function graphCommand(shell: Shell): Command {
  const made = command('graph', 'Show the facts around a person or thing, or the shortest path between two', {
    group: 'Knowledge',
    reads: true,
    of: 'scope',
    examples: ['daybook graph --scope acme/ada Ada --depth 2', 'daybook graph --scope acme/ada Ada --to Acme'],
  }).argument('<name>', 'where to start')
  return withOptions(made, fields)
    .option('--to <name>', 'show the shortest path to this name instead, at most 6 relations or --depth')
    .action(async (name: string, options: Options) =>
      inScope(shell, options, (scope) =>
        options.to === undefined ? around(scope, name, options) : way(scope, name, options),
      ),
    )
}

async function around(scope: Scope, name: string, options: Options): Promise<CommandResult> {
  const graph = await scope.graph({ around: name, ...givenOf(fields, options) })
  return {
    value: { scope: scope.name, around: name, ...graph },
    text: (look) =>
      graph.entities.length === 0
        ? `Nothing is known about ${JSON.stringify(name)}.`
        : [
            ...graph.entities.map(({ name: entity, type, aliases }) => {
              const also = aliases.length === 0 ? '' : ` (also ${aliases.map(terminalLine).join(', ')})`
              return `${look.paint('bold', terminalLine(entity))}${type === null ? '' : ` ${look.paint('dim', terminalLine(type))}`}${also}`
            }),
            '',
            ...graph.facts.map((fact) => edge(fact, look)),
            ...(graph.truncated ? ['There is more: use a smaller --depth to see a part.'] : []),
          ].join('\n'),
  }
}

async function way(scope: Scope, name: string, options: Options): Promise<CommandResult> {
  const { to = '' } = options
  const { depth: maxDepth, limit: _limit, ...moment } = givenOf(fields, options)
  const path = await scope.path(name, to, { ...moment, ...givenOf(optionFields(graphOperations.path), { maxDepth }) })
  return { value: { scope: scope.name, from: name, to, ...path }, text: (look) => renderWay(path, look) }
}

function renderWay({ found, facts, complete }: GraphPath, look: Look): string {
  if (!found) return complete ? 'No path connects them.' : 'No path was found within the depth: try a larger --depth.'
  return [...facts.map((fact) => edge(fact, look)), look.paint('dim', counted(facts.length, 'step'))].join('\n')
}

function edge(fact: Fact, look: Look): string {
  const object =
    typeof fact.object === 'object' && 'entity' in fact.object
      ? look.paint('bold', terminalLine(fact.object.entity))
      : typeof fact.object === 'string'
        ? terminalLine(fact.object)
        : terminalJSON(fact.object)
  return `${fact.subject === null ? '·' : look.paint('bold', terminalLine(fact.subject))} ${look.paint('cyan', `—${terminalLine(fact.predicate)}→`)} ${object}`
}
