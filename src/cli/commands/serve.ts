import type { Command } from 'commander'
import { command } from '../command.ts'
import { type ServeCommandOptions, serveUntilStopped } from '../serve-until-stopped.ts'
import type { Shell } from '../shell.ts'

export function serveCommand(shell: Shell): Command {
  return command('serve', 'Serve a memory over HTTP, until Ctrl-C', {
    group: 'Programs',
    creates: true,
    embeds: true,
    examples: [
      'daybook serve',
      'daybook serve --memory agent.db --port 8080',
      'daybook serve --host 0.0.0.0 --behind-proxy',
    ],
  })
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1)')
    .option('--port <n>', 'the port; 0 takes any that is free (default: 3773)', Number)
    .option('--key-file <file>', 'where the admin key is stored (default for a file: <memory>.key)')
    .option('--show-link', 'print the link with the admin key, even if the output is not a terminal')
    .option('--cert <file>', 'the certificate for TLS')
    .option('--cert-key <file>', 'its key')
    .option('--behind-proxy', 'a proxy in front of the server does TLS')
    .option('--allow-host <name...>', 'other host names that requests may use')
    .option('--allow-origin <origin...>', 'web pages of these origins may call the server')
    .option('--frame-ancestors <origin...>', 'web pages of these origins may show /me in a frame')
    .option('--backups <directory>', 'the folder for backups that admin keys ask for')
    .option('--telemetry', 'send spans to OpenTelemetry')
    .option('--no-calibrate', 'do not correct token estimates by the usage that callers report')
    .option('--quiet', 'do not print a line for each request')
    .action((options: ServeCommandOptions) => serveUntilStopped(shell, options))
}
