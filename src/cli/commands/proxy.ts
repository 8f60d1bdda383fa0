import type { Command } from 'commander'
import type { ProxyOptions } from '../../api/proxy.ts'
import { proxy } from '../../server/proxy/proxy.ts'
import { type CommonOptions, command, inScope } from '../command.ts'
import { givenOf, withOptions } from '../options-from.ts'
import { proxyFields } from '../../surface/proxy.ts'
import type { Shell } from '../shell.ts'

type Options = CommonOptions & Omit<ProxyOptions, 'onError'>

export function proxyCommand(shell: Shell): Command {
  const made = command(
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
  return withOptions(made, proxyFields).action(async (given: Options) => {
    const stopped = new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    })
    await inScope(
      shell,
      given,
      async (scope) => {
        const onError = (error: unknown): void => {
          shell.stderr.write(`A reply could not be stored: ${error instanceof Error ? error.message : String(error)}\n`)
        }
        const server = await proxy(scope, { onError, ...givenOf(proxyFields, given) })
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
