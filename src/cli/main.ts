#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { checkNode } from '../domain/check-node.ts'

// What reads us may stop early (`| head`): the rest of the output is not wanted, and that is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

if (runsHere()) {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  // Loaded after the check: an old Node cannot load everything that is behind it.
  const { runCommandLine } = await import('./run.ts')
  process.exitCode = await runCommandLine(process, process.argv.slice(2), version)
}

function runsHere(): boolean {
  try {
    checkNode(process.versions.node)
    return true
  } catch (error) {
    process.stderr.write(`daybook: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
    return false
  }
}
