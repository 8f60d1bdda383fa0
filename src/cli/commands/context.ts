import { defined } from '../../domain/defined.ts'
import { type Command, Option } from 'commander'
import { type Dialect, dialects } from '../../domain/dialect.ts'
import type { Moment } from '../../domain/moment.ts'
import type { Context } from '../../api/contexts.ts'
import type { Session } from '../../api/session.ts'
import type { CommandResult } from '../command-result.ts'
import { type CommonOptions, command, inSession, parseMoment } from '../command.ts'
import { contextOperations } from '../../surface/contexts.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import type { Look } from '../look.ts'
import { renderContext } from '../render/context.ts'
import { contextPlot } from '../render/context-plot.ts'
import { renderWindowDiff, windowDiff } from '../render/window-diff.ts'
import type { Shell } from '../shell.ts'
import { number } from '../render/layout.ts'
import { terminalJSON } from '../visible.ts'

const BUDGET_DEFAULT = 128_000

const ASSUMED = `No budget was given, so this is for ${number(BUDGET_DEFAULT)} tokens: pass --budget, or --model for its window`

// Looking stores nothing.
const { compact: _, ...fields } = optionFields(contextOperations.build)

type Options = CommonOptions & {
  readonly budget?: number
  readonly model?: string
  readonly as?: Dialect
  readonly full?: boolean
  readonly diff?: Moment
  readonly to?: Moment
}

export function contextCommand(shell: Shell): Command {
  const made = command('context', 'Show what a model would be sent, and why; or what changed between two moments', {
    group: 'Core',
    reads: true,
    of: 'session',
    plots: true,
    examples: [
      'daybook context --scope acme/ada support-42 --budget 8000',
      'daybook context --scope acme/ada support-42 --budget 8000 --as openai',
      'daybook context --scope acme/ada support-42 --diff v12',
      'daybook context --scope acme/ada support-42 --diff 2026-05-01 --to 2026-05-02',
    ],
  }).argument('[session]', 'the same as --session')
  return withOptions(made, fields)
    .addOption(new Option('--as <dialect>', 'print the messages in the form of a provider').choices(dialects))
    .option('--full', 'shorten nothing')
    .option('--diff <moment>', 'what changed in the window since then: a time, or a version such as v12', parseMoment)
    .option('--to <moment>', 'with --diff: until then (default: now)', parseMoment)
    .action(async (id: string | undefined, options: Options) =>
      inSession(shell, { ...options, ...defined({ session: id }) }, (session) =>
        options.diff === undefined ? build(session, options) : compare(session, options.diff, options.to),
      ),
    )
}

async function build(session: Session, options: Options): Promise<CommandResult> {
  const { as, full = false, model, budget = model === undefined ? BUDGET_DEFAULT : undefined } = options
  const isAssumed = options.budget === undefined && model === undefined
  const context = await session.context({
    ...givenOf(fields, options),
    ...defined({ budget }),
    compact: false,
  })
  if (as !== undefined) return dialectAnswer(context, as)
  const { messages, tokens, receipt, cache, recalled } = context
  return {
    value: { session: session.id, messages, tokens, receipt, cache, recalled },
    text: (look: Look) => {
      const shown = renderContext(context, { ...look, full })
      return isAssumed ? `${shown}\n${look.paint('dim', ASSUMED)}` : shown
    },
    plot: contextPlot(receipt.tokens),
  }
}

/** A provider's form is JSON for people too. */
function dialectAnswer(context: Context, dialect: Dialect): CommandResult {
  const wire: unknown = context.as(dialect)
  return { value: wire, text: () => terminalJSON(wire, 2) }
}

async function compare(session: Session, from: Moment, to: Moment | undefined): Promise<CommandResult> {
  const before = await session.window({ asOf: from })
  const after = await session.window(defined({ asOf: to }))
  const diff = windowDiff(before, after)
  return { value: { session: session.id, from, to: to ?? null, ...diff }, text: (look) => renderWindowDiff(diff, look) }
}
