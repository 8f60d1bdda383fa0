#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { runCommandLine } from './run.ts'

// What reads us may stop early (`| head`): the rest of the answer is not wanted, and that is no error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}
process.exitCode = await runCommandLine(process, process.argv.slice(2), version)
