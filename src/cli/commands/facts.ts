import type { Command } from 'commander'
import type { Memory } from '../../api/memory.ts'
import type { Scope } from '../../api/scope.ts'
import { factOperations } from '../../surface/facts.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, optionFields, withOptions } from '../options-from.ts'
import { renderFact } from '../render/fact.ts'
import { placeOptions } from '../place-options.ts'
import type { Shell } from '../shell.ts'

export function factsCommand(shell: Shell): Command {
  const fields = optionFields(factOperations.list)
  const made = command('facts', factOperations.list.help, {
    group: 'Core',
    reads: true,
    of: 'scope',
    lists: true,
    examples: [
      'daybook facts --scope acme/ada --subject Ada',
      'daybook facts --scope acme/ada --include-closed --as-of 2026-05-01',
      'daybook facts --scope acme/ada --state quarantined --json',
    ],
  })
  return withOptions(made, fields).action(async (options: CommonOptions) =>
    inScope(shell, options, async (scope, memory) => {
      const given = givenOf(fields, options)
      const facts = await scope.facts(given)
      const waiting = facts.length === 0 && !('state' in given) ? await quarantined(scope) : 0
      const learns = facts.length === 0 && (await isLearning(memory, scope))
      return {
        value: { scope: scope.name, facts },
        rows: facts,
        text: (look) =>
          facts.length === 0
            ? noFacts(waiting, learns, placeOptions(shell, options))
            : facts.map((fact) => renderFact(fact, look)).join('\n'),
      }
    }),
  )
}

const COUNTED_MAX = 100
const JOBS_MAX = 1_000

async function quarantined(scope: Scope): Promise<number> {
  return (await scope.facts({ state: 'quarantined', limit: COUNTED_MAX })).length
}

/** Whether messages of the scope still wait to be learned from. A short program ends before there is a job for them. */
async function isLearning(memory: Memory, scope: Scope): Promise<boolean> {
  try {
    const { sessions } = await scope.sessions({ limit: COUNTED_MAX })
    const jobs = await memory.jobs.list({ kind: 'learn', scope: scope.name, limit: JOBS_MAX })
    const ended = jobs.filter(({ state }) => state !== 'waiting' && state !== 'running')
    return sessions.some(
      ({ id, messages, updatedAt }) =>
        messages > 0 && !ended.some((job) => job.subject === id && job.updatedAt >= updatedAt),
    )
  } catch {
    return false // a server shows jobs only to some keys
  }
}

/** Facts from imports, tools and the web are used only after somebody endorsed them. */
function noFacts(waiting: number, learns: boolean, place: string): string {
  if (waiting === 0)
    return learns ? `No facts yet. To learn from new messages now: daybook jobs settle${place}` : 'No facts.'
  const many = waiting === COUNTED_MAX ? `${COUNTED_MAX} or more are` : waiting === 1 ? '1 is' : `${waiting} are`
  return [
    `No facts in use. ${many} in quarantine until you endorse ${waiting === 1 ? 'it' : 'them'} with "daybook endorse".`,
    `To list ${waiting === 1 ? 'it' : 'them'}: daybook facts${place} --state quarantined`,
  ].join('\n')
}
