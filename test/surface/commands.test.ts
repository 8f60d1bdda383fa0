import { describe, expect, it } from 'vitest'
import { completionScript } from '../../src/cli/completion.ts'
import { lowerFirst } from '../../src/cli/options-from.ts'
import { program } from '../../src/cli/program.ts'
import type { Shell } from '../../src/cli/shell.ts'
import { canBeSent } from '../../src/shape/json-schema.ts'
import { contextOperations } from '../../src/surface/contexts.ts'
import { factOperations } from '../../src/surface/facts.ts'
import { messageOperations } from '../../src/surface/messages.ts'
import type { CheckedCall } from '../../src/surface/operation.ts'
import { memoryOperations } from '../../src/surface/memory.ts'
import { recallOperations } from '../../src/surface/recall.ts'
import { fieldsIn } from '../../src/surface/request-fields.ts'
import { sessionOperations } from '../../src/surface/sessions.ts'
import { simulateCacheCall } from '../../src/surface/simulate-cache.ts'
import { aText } from '../../src/shape/values.ts'

const calls: readonly (readonly [command: string, call: CheckedCall, without: string])[] = [
  ['append', messageOperations.append, ''],
  ['search', messageOperations.search, ''],
  ['sessions', sessionOperations.list, ''],
  ['fork', sessionOperations.fork, ''],
  ['show', contextOperations.window, ''],
  ['compact', contextOperations.compact, ''],
  ['reopen', contextOperations.reopen, ''],
  ['cache', simulateCacheCall, ''],
  ['recall', recallOperations.ask, ''],
  ['facts', factOperations.list, ''],
  ['remember', factOperations.remember, ''],
  ['forget', factOperations.forget, ''],
  ['context', contextOperations.build, 'compact'],
  ['verify', memoryOperations.verify, 'head'],
]

const { stdin, stdout, stderr } = process
const shell: Shell = { stdin, stdout, stderr, env: {}, argv: [], end: () => undefined }
const daybook = program(shell, '0.0.0')

describe('[surface-7] the command line', () => {
  it.each(calls)('%s has an option for each option of its call, with the same words', (name, call, without) => {
    const options = daybook.commands.find((command) => command.name() === name)?.options ?? []
    const fields = Object.entries(fieldsIn(call.options ?? aText)).filter(
      ([field, { shape }]) => canBeSent(shape) && field !== without,
    )
    expect(fields.length).toBeGreaterThan(0)
    for (const [field, { help }] of fields) {
      const option = options.find((one) => one.attributeName() === field)
      expect(option?.description, field).toContain(lowerFirst(help))
    }
  })

  it.each(['bash', 'zsh', 'fish'] as const)('completes them in %s', (name) => {
    const script = completionScript(daybook, name)
    for (const flag of ['operation-id', 'include-quarantined', 'dry-run', 'as-of']) expect(script).toContain(flag)
  })
})
