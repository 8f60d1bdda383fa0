import type { Command } from 'commander'
import type { SessionsOptions, SessionsPage } from '../../api/sessions.ts'
import { sessionOperations } from '../../surface/sessions.ts'
import { type CommonOptions, checkScopeExists, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { number, shortened, time } from '../render/layout.ts'
import type { Look } from '../look.ts'
import { table } from '../render/table.ts'
import type { Shell } from '../shell.ts'
import { terminalLine } from '../visible.ts'

const fields = optionFields(sessionOperations.list)

export function sessionsCommand(shell: Shell): Command {
  const made = command('sessions', 'List the conversations of a scope, newest first', {
    group: 'Core',
    reads: true,
    of: 'scope',
    lists: true,
    examples: ['daybook sessions --scope acme/ada', 'daybook sessions --scope acme/ada --text support --json'],
  })
  return withOptions(made, fields).action(async (options: CommonOptions) =>
    inScope(shell, options, async (scope, memory) => {
      const given: SessionsOptions = givenOf(fields, options)
      const previewed = await scope.sessions({ ...given, preview: true })
      if (previewed.sessions.length === 0) await checkScopeExists(memory, scope.name)
      const page = given.preview === true ? previewed : withoutPreviews(previewed)
      return { value: page, rows: page.sessions, text: (look) => renderPage(previewed, look) }
    }),
  )
}

function withoutPreviews({ sessions, next }: SessionsPage): SessionsPage {
  const bare = sessions.map((session) => {
    const { preview: _, ...rest } = session
    return rest
  })
  return { sessions: bare, next }
}

function renderPage({ sessions, next }: SessionsPage, { width }: Look): string {
  if (sessions.length === 0) return 'No conversations.'
  const rows = sessions.map(({ id, messages, updatedAt, description, forkOf, preview }) => [
    terminalLine(id),
    number(messages),
    time(updatedAt),
    forkOf === null
      ? shortened(terminalLine(preview?.title ?? description ?? ''), 50)
      : `fork of ${terminalLine(forkOf.id)} at [${forkOf.at}]`,
  ])
  const lines = table(['session', 'messages', 'changed', ''], rows, { right: [1], width })
  return [...lines, ...(next === null ? [] : [`There are more: --after ${next}`])].join('\n')
}
