import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { command, parsePosition } from '../command.ts'
import { type ServeCommandOptions, serveUntilStopped } from '../serve-until-stopped.ts'
import type { Shell } from '../shell.ts'

/** What opens an address on each system. */
const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

export function openCommand(shell: Shell): Command {
  return command('open', 'Open a memory in the browser, until Ctrl-C', {
    group: 'Core',
    embeds: true,
    examples: ['daybook open', 'daybook open --memory agent.db'],
  })
    .addOption(new Option('--port <n>', 'the port').argParser(parsePosition).default(0, 'any that is free'))
    .option('--no-browser', 'only print the link')
    .action(async ({ browser = true, ...options }: ServeCommandOptions & { readonly browser?: boolean }) =>
      serveUntilStopped(shell, { ...options, create: false, quiet: true, showLink: true }, (link) => {
        if (browser && link !== undefined) openInBrowser(link)
      }),
    )
}

/**
 * Opens a page that leads to the link: an argument with the key in it could be read by everybody who can list processes. The link is
 * printed too, so nothing is lost where there is no browser.
 */
function openInBrowser(link: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-open-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const page = join(folder, 'open.html')
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${link}">`, { mode: 0o600 })
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...words, page], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
