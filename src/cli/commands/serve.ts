import type { Command } from 'commander'
import { localMemoryFields } from '../../surface/open-memory.ts'
import { listenFields } from '../../surface/serve.ts'
import { command } from '../command.ts'
import { fieldsNamed, withOptions } from '../options-from.ts'
import { type ServeCommandOptions, serveUntilStopped } from '../serve-until-stopped.ts'
import type { Shell } from '../shell.ts'

export function serveCommand(shell: Shell): Command {
  const made = command('serve', 'Serve a memory over HTTP, until Ctrl-C', {
    group: 'Programs',
    creates: true,
    embeds: true,
    examples: [
      'daybook serve',
      'daybook serve --memory agent.db --port 8080',
      'daybook serve --host 0.0.0.0 --behind-proxy',
    ],
  })
  // The files of TLS are two options here, and an environment variable says whether spans have content.
  const { tls: _, spanContent: __, keyFile, ...listening } = listenFields
  withOptions(made, { ...listening, keyFile: { ...keyFile, default: '<memory>.key, for a file' } })
  return withOptions(made, fieldsNamed(localMemoryFields, 'calibrate'))
    .option('--cert <file>', 'the certificate for TLS')
    .option('--cert-key <file>', 'its key')
    .option(
      '--show-link',
      'print the link with the admin key; without this, it is printed at the first start and on a terminal',
    )
    .option('--quiet', 'do not print a line for each request')
    .action((options: ServeCommandOptions) => serveUntilStopped(shell, options))
}
