import { Command } from 'commander'
import { appendCommand } from './commands/append.ts'
import { backupCommand } from './commands/backup.ts'
import { benchCommand } from './commands/bench.ts'
import { blocksCommand } from './commands/blocks.ts'
import { cacheCommand } from './commands/cache.ts'
import { chatCommandLine } from './commands/chat.ts'
import { compactCommand } from './commands/compact.ts'
import { completionCommand } from './commands/completion.ts'
import { contextCommand } from './commands/context.ts'
import { doctorCommand } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { factsCommand } from './commands/facts.ts'
import { forgetCommand } from './commands/forget.ts'
import { forkCommand } from './commands/fork.ts'
import { graphCommand } from './commands/graph.ts'
import { headCommand } from './commands/head.ts'
import { importCommand } from './commands/import.ts'
import { initCommand } from './commands/init.ts'
import { openCommand } from './commands/open.ts'
import { statusCommand } from './commands/status.ts'
import { tailCommand } from './commands/tail.ts'
import { jobsCommand } from './commands/jobs.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { rebuildCommand } from './commands/rebuild.ts'
import { recallCommand } from './commands/recall.ts'
import { rememberCommand } from './commands/remember.ts'
import { reopenCommand } from './commands/reopen.ts'
import { restoreCommand } from './commands/restore.ts'
import { retentionCommand } from './commands/retention.ts'
import { endorseCommand } from './commands/endorse.ts'
import { retractCommand } from './commands/retract.ts'
import { searchCommand } from './commands/search.ts'
import { scopesCommand } from './commands/scopes.ts'
import { sessionsCommand } from './commands/sessions.ts'
import { showCommand } from './commands/show.ts'
import { statsCommand } from './commands/stats.ts'
import { undoCommand } from './commands/undo.ts'
import { verifyCommand } from './commands/verify.ts'
import { keyCommand } from './commands/key.ts'
import { serveCommand } from './commands/serve.ts'
import { proxyCommand } from './commands/proxy.ts'
import { lookOf } from './look.ts'
import { wrap } from './render/layout.ts'
import type { Shell } from './shell.ts'

/** In the order of the overview. */
const commands: readonly ((shell: Shell) => Command)[] = [
  statusCommand,
  initCommand,
  sessionsCommand,
  showCommand,
  appendCommand,
  contextCommand,
  recallCommand,
  factsCommand,
  importCommand,
  openCommand,
  mcpCommand,
  tailCommand,
  searchCommand,
  compactCommand,
  undoCommand,
  reopenCommand,
  forkCommand,
  cacheCommand,
  blocksCommand,
  rememberCommand,
  retractCommand,
  endorseCommand,
  graphCommand,
  forgetCommand,
  retentionCommand,
  scopesCommand,
  statsCommand,
  exportCommand,
  backupCommand,
  restoreCommand,
  verifyCommand,
  headCommand,
  rebuildCommand,
  migrateCommand,
  doctorCommand,
  jobsCommand,
  keyCommand,
  benchCommand,
  serveCommand,
  proxyCommand,
  chatCommandLine,
  completionCommand,
]

/** Short names for people who expect them. */
const aliases: Readonly<Record<string, string>> = { sessions: 'ls', show: 'cat', forget: 'rm' }

const about = `Memory for LLM agents in one file: a durable log, contexts that fit, facts with sources, recall with reasons.

Start:
  $ daybook append --create --scope acme/ada first "Order 7731 is late."
  $ daybook show first
  $ daybook recall "what is late?"

A memory is a file (daybook.db, or the only one in this folder), a scope such as acme/ada owns data in it, a session is one conversation.
If a memory has one scope, --scope can be left out. DAYBOOK_MEMORY, DAYBOOK_SCOPE and DAYBOOK_SESSION replace the options.`

/** The whole command line. Errors are thrown, nothing exits. */
export function program(shell: Shell, version: string): Command {
  const { paint } = lookOf(shell.stdout, shell.env)
  const root = new Command('daybook')
    .description(about)
    .version(version, '-V, --version', 'print the version')
    .usage('<command> [options]')
    .commandsGroup('Help:')
    .helpCommand('help [command]', 'explain a command')
    .configureHelp({
      // Descriptions wrap between words on narrow terminals too.
      minWidthToWrap: 20,
      styleTitle: (text) => paint('bold', text),
      styleCommandText: (text) => paint('cyan', text),
      // Arguments and options are in the help of each command. A narrow first column leaves room to wrap the second.
      subcommandTerm: (command) => [command.name(), ...command.aliases()].join(', '),
    })
  for (const make of commands) {
    const command = inherit(make(shell), root)
    const alias = aliases[command.name()]
    root.addCommand(alias === undefined ? command : command.alias(alias))
  }
  return settle(root, shell)
}

function inherit(command: Command, root: Command): Command {
  return command.copyInheritedSettings(root).allowExcessArguments(false)
}

/** For the root and all below: to the shell's streams, and by throwing. */
function settle(root: Command, shell: Shell): Command {
  for (const command of [root, ...root.commands]) {
    command.exitOverride()
    command.configureOutput({
      writeOut: (text) => shell.stdout.write(wrapped(text, lookOf(shell.stdout, shell.env).width ?? 100)),
      writeErr: (text) => shell.stderr.write(text),
      getOutHelpWidth: () => lookOf(shell.stdout, shell.env).width ?? 100,
      getErrHelpWidth: () => lookOf(shell.stderr, shell.env).width ?? 100,
      getOutHasColors: () => lookOf(shell.stdout, shell.env).paint('bold', '') !== '',
      getErrHasColors: () => lookOf(shell.stderr, shell.env).paint('bold', '') !== '',
      outputError: () => undefined, // printed where all errors are
    })
  }
  return root
}

/** Wraps the text below the options between words. Commands and JSON stay on their line, so that they can be pasted. Painted lines are wrapped already. */
function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => (/^\s*[$"{}[\]]|\u001B/.test(line) ? [line] : wrap(line, width)))
    .join('\n')
}
