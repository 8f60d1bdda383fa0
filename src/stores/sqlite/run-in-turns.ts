import { setImmediate } from 'node:timers/promises'
import { isList } from '../../domain/interleave.ts'
import type { Program } from '../sql/program.ts'
import type { Connection } from './connection.ts'
import { runStep } from './run-step.ts'

const TURN_MS_MAX = 8

/** Runs a program on a connection that nobody else uses meanwhile, letting others run in between. */
export async function runInTurns<Result>(connection: Connection, program: Program<Result>): Promise<Result> {
  let since = performance.now()
  let next = program.next()
  while (next.done !== true) {
    const { value } = next
    const answers: unknown[] = []
    for (const step of isList(value) ? value : [value]) {
      answers.push(runStep(connection, step))
      if (performance.now() - since < TURN_MS_MAX) continue
      await setImmediate()
      since = performance.now()
    }
    next = program.next(isList(value) ? answers : answers[0])
  }
  return next.value
}
