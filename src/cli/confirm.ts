import { asked } from './asked.ts'
import { CommandError } from './exit-status.ts'
import type { Shell } from './shell.ts'

/** Asks before something is changed that the command line cannot undo. Where nobody can be asked, `--yes` is needed. */
export async function confirmed(shell: Shell, yes: boolean, question: string): Promise<void> {
  if (yes) return
  if (shell.stdin.isTTY !== true || shell.stderr.isTTY !== true)
    throw new CommandError(
      'usage',
      `Cannot ask for confirmation without a terminal: "${question}" To confirm, pass --yes`,
    )
  const { confirm } = await import('@clack/prompts')
  const answer = await asked(shell, (how) => confirm({ message: question, initialValue: false, ...how }))
  if (answer !== true) throw new CommandError('interrupted', 'Nothing was changed')
}
