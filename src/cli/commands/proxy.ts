import type { Command } from 'commander'
import { defined } from '../../domain/defined.ts'
import { proxy } from '../../server/proxy/proxy.ts'
import { type CommonOptions, command, inScope, parsePosition } from '../command.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & {
  readonly host?: string
  readonly port?: number
  readonly openai?: string
  readonly anthropic?: string
  readonly budget?: number
}

export function proxyCommand(shell: Shell): Command {
  return command(
    'proxy',
    'Store the conversations of a program with OpenAI or Anthropic as a proxy between them, until Ctrl-C',
    {
      group: 'Programs',
      of: 'scope',
      creates: true,
      embeds: true,
      examples: [
        'daybook proxy --create --scope acme/ada',
        'daybook proxy --scope acme/ada --openai http://127.0.0.1:11434/v1 --budget 8000',
      ],
    },
  )
    .option('--host <address>', 'the address to listen on (default: 127.0.0.1)')
    .option('--port <n>', 'the port; 0 takes any that is free (default: 3774)', parsePosition)
    .option('--openai <url>', 'an OpenAI-compatible provider, with or without /v1 (default: https://api.openai.com)')
    .option('--anthropic <url>', 'an Anthropic-compatible provider (default: https://api.anthropic.com)')
    .option('--budget <tokens>', 'fit longer conversations into this many tokens', parsePosition)
    .action(async ({ host, port, openai, anthropic, budget, ...given }: Options) => {
      const stopped = new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
      })
      await inScope(
        shell,
        given,
        async (scope) => {
          const onError = (error: unknown): void => {
            shell.stderr.write(
              `A reply could not be stored: ${error instanceof Error ? error.message : String(error)}\n`,
            )
          }
          const server = await proxy(scope, { onError, ...defined({ host, port, openai, anthropic, budget }) })
          shell.stderr.write(
            `Set OPENAI_BASE_URL=${server.url}/v1 or ANTHROPIC_BASE_URL=${server.url}. Stop with Ctrl-C.\n`,
          )
          await stopped
          await server.close()
          return { value: { url: server.url }, text: () => `Stopped ${server.url}` }
        },
        { learn: 'patterns' },
      )
    })
}
